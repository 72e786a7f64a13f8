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
  /// Where the files lie that an extension runs copies of: the path of each copy, and the author's own.
  package var authorPaths: [(copy: String, original: String)] = []
  /// The owner of both streams, which draws what changes and asks what is asked.
  package let screen: TerminalScreen
  /// Whether the locale's characters are Unicode's; elsewhere the tool's own quotation marks and the like are written in
  /// ASCII.
  package let showsUnicode: Bool
  private let failure: @Sendable () -> Int32?

  /// The errno of the first write to standard output that failed; `nil` while none has. A reader that went away is no
  /// failure.
  package var outputFailure: Int32? { failure() }

  /// A console over two sinks, for tests.
  package init(
    verbosity: Verbosity = .normal, terminal: Terminal = .none, errorTerminal: Terminal = .none,
    showsUnicode: Bool = true, output: @escaping @Sendable (String) -> Void,
    errors: @escaping @Sendable (String) -> Void, size: @escaping @Sendable () -> TerminalSize? = { nil },
    failure: @escaping @Sendable () -> Int32? = { nil }
  ) {
    self.verbosity = verbosity
    self.terminal = terminal
    self.errorTerminal = errorTerminal
    self.showsUnicode = showsUnicode
    screen = TerminalScreen(
      terminal: terminal, errorTerminal: errorTerminal, output: output, errors: errors, size: size)
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
      showsUnicode: LocaleCharacters.areUnicode(environment), output: { output.write($0) },
      errors: { _ = writeAll($0, to: STDERR_FILENO) },
      size: { TerminalSize(descriptor: STDERR_FILENO) ?? TerminalSize(descriptor: STDOUT_FILENO) },
      failure: { output.failure })
  }

  private func output(_ text: String) { screen.write(text, to: .output) }
  private func errors(_ text: String) { screen.write(errorTerminal.folded(text), to: .errors) }

  /// The text as the locale can show it.
  private func shown(_ text: ShownText) -> String {
    (showsUnicode ? text : text.inASCII).description
  }

  /// One line of the result.
  package func print(_ line: ShownText = "") { output("\(shown(line))\n") }

  /// Writes a part of the result to standard output, without a line end of its own.
  package func write(_ text: ShownText) { output(shown(text)) }

  /// A JSON document, or one of several, with a line end: the same in every locale.
  package func print(json document: ShownText) { write(json: "\(document)\n") }

  /// The same without a line end of its own.
  package func write(json document: ShownText) { output(document.description) }

  /// Data that the user asked for, without a line end of its own: unchanged into a file or a pipe, where a program reads
  /// it, and escaped but for line feeds and tabs at a terminal.
  package func write(data text: String) {
    output(terminal.isTerminal ? ShownText(lines: text).description : text)
  }

  /// The lines of a table.
  package func print(_ table: TextTable) {
    let lines = table.lines(for: terminal)
    if !lines.isEmpty { output("\(shown(lines.joined(separator: "\n")))\n") }
  }

  /// A remark on standard error, unless quiet.
  package func note(_ text: ShownText) { if verbosity != .quiet { errors("\(named(text))\n") } }

  /// Shows a live part in place of the one before, as far as the terminal can be drawn over; `nil` takes it away.
  package func show(_ live: LivePart?) {
    guard !showsUnicode else { return screen.show(live) }
    switch live {
    case .lines(let lines): screen.show(.lines(lines.map(\.inASCII)))
    case .page(let lines): screen.show(.page(lines.map(\.inASCII)))
    case .drawing(let drawing, let erasing): screen.show(.drawing(drawing.inASCII, erasing: erasing))
    case nil: screen.show(nil)
    }
  }

  /// Asks a question on standard error, also when quiet; see ``TerminalScreen/open(_:)``. The caller closes it.
  package func open(_ prompt: Prompt) {
    var prompt = prompt
    if !showsUnicode {
      prompt.lines = prompt.lines.map(\.inASCII)
      prompt.mark = prompt.mark.inASCII
    }
    screen.open(prompt)
  }

  /// Changes the question that is open.
  package func change(_ body: (inout Prompt) -> Void) {
    screen.change { prompt in
      body(&prompt)
      if !showsUnicode { prompt.lines = prompt.lines.map(\.inASCII) }
    }
  }

  /// Ends the question that is open; see ``TerminalScreen/close(leaving:)``.
  package func close(leaving lines: [ShownText] = []) {
    screen.close(leaving: showsUnicode ? lines : lines.map(\.inASCII))
  }

  /// A line on standard error that is shown also when quiet.
  package func tell(_ text: ShownText) { errors("\(shown(text))\n") }

  /// Writes a remark to standard error when `--verbose` was given.
  package func detail(_ text: ShownText) {
    if verbosity == .verbose { errors("\(shown(errorTerminal.styled(text, .dim)))\n") }
  }

  /// Writes a line that an extension printed to standard error when `--verbose` was given: as it is, but for what steers a
  /// terminal, and with the author's own paths.
  package func printed(_ line: String, by id: String) {
    guard verbosity == .verbose else { return }
    screen.write("[\(ShownText(id))] \(ShownText(lines: withAuthorPaths(line)))\n", to: .errors)
  }

  /// The text with the paths of the author's files in place of those of their copies.
  package func withAuthorPaths(_ text: String) -> String {
    authorPaths.reduce(text) { $0.replacing($1.copy, with: $1.original) }
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

  private func named(_ text: ShownText) -> String { completed(shown(text)) }

  /// A usage error in the same form; the caller ends with ``ExitStatus/usage``.
  package func fail(_ error: CommandLineError) { fail(ShownText(error.message), help: ShownText(error.help)) }
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

/// Commands that are advised work when they are pasted: they get the options that say where this one looked, and the name
/// that the tool was called by.
extension Console {
  /// The text with ``advisedOptions`` at the end of every command of the tool that it quotes: “host list” or "host list".
  package func completed(_ advice: String) -> String {
    toolName?.applied(to: advice, options: advisedOptions) ?? advice
  }
}

/// The text as one word of a POSIX shell, between quotes where it needs them.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || [0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x40, 0x5F].contains(byte)
  }
  return isPlain && !text.isEmpty ? text : shellQuoted(text)
}
