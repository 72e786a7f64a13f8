import CommandLineTool
import EventLoop
import ExtensionHosting
import Glibc
import Synchronization

/// Asks the user at the terminal whether an extension may have a permission, one question at a time.
final class TerminalQuestion: Sendable {
  /// How long a user has for an answer: less than the 30 s that an extension waits for it.
  private static let timeout = Duration.seconds(25)

  private let console: Console
  private let loop: EventLoop
  private let isAsking = Mutex(false)

  private init(_ console: Console, loop: EventLoop) {
    self.console = console
    self.loop = loop
  }

  /// A way to ask; `nil` where nobody sits at a terminal.
  static func asker(
    _ console: Console, loop: EventLoop
  ) -> (@Sendable (PermissionQuestion) async -> Consent.Answer)? {
    guard isatty(STDIN_FILENO) == 1, console.errorTerminal.isTerminal else { return nil }
    let terminal = TerminalQuestion(console, loop: loop)
    return { await terminal.ask($0) }
  }

  private func ask(_ question: PermissionQuestion) async -> Consent.Answer {
    // A second question while one is open would be answered by the keys for the first.
    let isFirst = isAsking.withLock { isAsking in
      defer { isAsking = true }
      return !isAsking
    }
    guard isFirst else { return .dismissed }
    defer { isAsking.withLock { $0 = false } }
    let line = await RawTerminal.lending {
      console.prompt(Self.text(of: question))
      return try? await withDeadline(Self.timeout, on: loop) { [loop] in await Self.line(on: loop) }
    }
    guard let line else {
      console.prompt("\n")
      return .dismissed
    }
    return Self.answer(line)
  }

  /// What the user reads.
  static func text(of question: PermissionQuestion) -> ShownText {
    var lines: [ShownText] = [
      "\(question.caller.displayName) (\(question.caller.id)) asks for “\(question.permission.name)”."
    ]
    lines.append("  \(question.permission.allows)")
    if !question.scope.isEmpty { lines.append("  Its manifest names: \(question.scope.joined(separator: ", "))") }
    if !question.reason.isEmpty { lines.append("  It says: \(question.reason)") }
    lines.append("Allow? y = yes, n = no, Enter = not now: ")
    return lines.joined(separator: "\n") + " "
  }

  /// `y` and `n`, in full too; anything else is no answer.
  static func answer(_ line: String) -> Consent.Answer {
    switch line.lowercased().filter({ !$0.isWhitespace }) {
    case "y", "yes": .granted
    case "n", "no": .denied
    default: .dismissed
    }
  }

  /// One line of standard input; `nil` at its end, and when the task is cancelled.
  private static func line(on loop: EventLoop) async -> String? {
    let (lines, continuation) = AsyncStream.makeStream(of: String?.self)
    // Somebody else may read keys from there, and has lent the terminal: a descriptor is watched once.
    let descriptor = dup(STDIN_FILENO)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let watch = try? loop.watch(descriptor, for: .reading) { _ in
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      continuation.yield(count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil)
    }
    guard let watch else { return nil }
    defer { loop.unwatch(watch) }
    for await line in lines { return line }
    return nil
  }
}
