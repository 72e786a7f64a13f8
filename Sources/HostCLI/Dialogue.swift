import CommandLineTool
import EventLoop
import Glibc

/// A conversation with a user at a terminal: questions on standard error, answers from standard input, line by line.
final class Dialogue {
  private let console: Console
  private let loop: EventLoop
  private let watch: Watch
  private var lines: AsyncStream<String>.Iterator

  /// Whether there is a user to talk to: standard input and standard error are a terminal, and no program reads the result.
  static func isPossible(_ invocation: Invocation) -> Bool {
    !invocation.wantsJSON && isatty(STDIN_FILENO) == 1 && invocation.console.errorTerminal.isTerminal
  }

  private init(_ console: Console, _ loop: EventLoop, _ watch: Watch, _ lines: AsyncStream<String>) {
    self.console = console
    self.loop = loop
    self.watch = watch
    self.lines = lines.makeAsyncIterator()
  }

  /// Runs the body with a dialogue.
  static func with<Value>(
    _ invocation: Invocation, _ body: (Dialogue) async throws -> Value
  ) async throws -> Value {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    var rest: [UInt8] = []
    let watch = try invocation.loop.watch(STDIN_FILENO, for: .reading) { _ in
      var chunk = [UInt8](repeating: 0, count: 4096)
      // The terminal hands over whole lines, and is only read when it has one.
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count > 0 else { return continuation.finish() }
      rest += chunk[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
    }
    let dialogue = Dialogue(invocation.console, invocation.loop, watch, lines)
    defer { invocation.loop.unwatch(watch) }
    return try await body(dialogue)
  }

  /// A line for the user.
  func say(_ line: String) { console.note(line) }

  /// Asks for a line.
  ///
  /// - Returns: the answer; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `CancellationError` when the user interrupts the command.
  func ask(_ prompt: String) async throws -> String? {
    console.prompt("\(prompt) ")
    let line = await lines.next(isolation: #isolation)
    try Task.checkCancellation()
    if line == nil { console.prompt("\n") }
    return line
  }

  /// Asks for one of several things by its number.
  ///
  /// - Returns: its index; `nil` when the user chooses none (an empty line, or Ctrl-D).
  func choose(_ prompt: String, among count: Int) async throws -> Int? {
    while true {
      guard let answer = try await ask("\(prompt) (1–\(count), Enter for none):"), !answer.isEmpty else { return nil }
      if let number = Int(answer.filter { $0 != " " }), (1...count).contains(number) { return number - 1 }
      say("There is no “\(answer.escapedForTerminal)”.")
    }
  }
}
