import Glibc
import Synchronization

/// The two output streams of a tool, with its habits: results to standard output, everything else to standard error. They
/// take texts that may be shown, and the user's own data.
package struct Console: Sendable {
  /// How much is said on standard error.
  package enum Verbosity: Sendable { case quiet, normal, verbose }

  /// How much is said on standard error.
  package let verbosity: Verbosity
  /// What standard output is.
  package let terminal: Terminal
  /// What standard error is.
  package let errorTerminal: Terminal
  /// What the tool is called in what it says; `nil` for the name that its texts have.
  package var toolName: ToolName?
  /// The options that an advised command needs; see ``completed(_:)``.
  package var advisedOptions: [(name: String, value: String)] = []
  private let output: @Sendable (String) -> Void
  private let errors: @Sendable (String) -> Void
  private let failure: @Sendable () -> Int32?

  /// The errno of the first write to standard output that failed; `nil` while none has. A reader that went away is no
  /// failure.
  package var outputFailure: Int32? { failure() }

  /// A console over two sinks, for tests.
  package init(
    verbosity: Verbosity = .normal, terminal: Terminal = .none, errorTerminal: Terminal = .none,
    output: @escaping @Sendable (String) -> Void, errors: @escaping @Sendable (String) -> Void,
    failure: @escaping @Sendable () -> Int32? = { nil }
  ) {
    self.verbosity = verbosity
    self.terminal = terminal
    self.errorTerminal = errorTerminal
    self.output = output
    self.errors = errors
    self.failure = failure
  }

  /// The process's own standard output and standard error. Written without buffering; a reader that went away is
  /// ignored.
  package static func standard(verbosity: Verbosity, environment: [String: String]) -> Console {
    let output = OutputStream(descriptor: STDOUT_FILENO)
    return Console(
      verbosity: verbosity,
      terminal: Terminal(descriptor: STDOUT_FILENO, environment: environment),
      errorTerminal: Terminal(descriptor: STDERR_FILENO, environment: environment),
      output: { output.write($0) }, errors: { _ = writeAll($0, to: STDERR_FILENO) }, failure: { output.failure })
  }

  /// One line of the result.
  package func print(_ line: ShownText = "") { output("\(line)\n") }

  /// Writes a part of the result to standard output, without a line end of its own.
  package func write(_ text: ShownText) { output(text.description) }

  /// Data that the user asked for, without a line end of its own: unchanged into a file or a pipe, where a program reads
  /// it, and escaped but for line feeds and tabs at a terminal.
  package func write(data text: String) {
    output(terminal.isTerminal ? ShownText(lines: text).description : text)
  }

  /// The lines of a table.
  package func print(_ table: TextTable) {
    let lines = table.lines(for: terminal)
    if !lines.isEmpty { output("\(lines.joined(separator: "\n"))\n") }
  }

  /// A remark on standard error, unless quiet.
  package func note(_ text: ShownText) { if verbosity != .quiet { errors("\(named(text))\n") } }

  /// A question on standard error, without a line end: the answer follows on the same line. Shown also when quiet.
  package func prompt(_ text: ShownText) { errors(text.description) }

  /// Writes a remark to standard error when `--verbose` was given.
  package func detail(_ text: ShownText) {
    if verbosity == .verbose { errors("\(errorTerminal.styled(text, .dim))\n") }
  }

  /// `warning: …` on standard error, unless quiet.
  package func warn(_ message: ShownText) {
    note("\(errorTerminal.styled("warning:", .yellow)) \(message)")
  }

  /// `error: …`, then `help: …`, on standard error.
  package func fail(_ message: ShownText, help: ShownText? = nil) {
    errors("\(errorTerminal.styled("error:", .red)) \(named(message))\n")
    if let help { errors("\(errorTerminal.styled("help:", .cyan)) \(named(help))\n") }
  }

  private func named(_ text: ShownText) -> String { completed(text.description) }

  /// A usage error in the same form; the caller ends with ``ExitStatus/usage``.
  package func fail(_ error: CommandLineError) { fail(ShownText(error.message), help: ShownText(error.help)) }

  func writeError(_ text: ShownText) { errors(text.description) }
}

/// A stream that remembers its first failure.
private final class OutputStream: Sendable {
  private let descriptor: Int32
  private let firstFailure = Mutex<Int32?>(nil)

  init(descriptor: Int32) { self.descriptor = descriptor }

  var failure: Int32? { firstFailure.withLock { $0 } }

  func write(_ text: String) {
    guard let number = writeAll(text, to: descriptor), number != EPIPE else { return }
    firstFailure.withLock { $0 = $0 ?? number }
  }
}

/// Returns the errno of a failure.
private func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, start, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, -1) > 0 || errno == EINTR else { return errno }
      } else if count < 0, errno == EINTR {
        continue
      } else {
        return errno
      }
    }
    return nil
  }
}
