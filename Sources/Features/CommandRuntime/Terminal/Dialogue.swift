package import CommandLineTool
import EventLoop
import Glibc

/// A conversation with a user at a terminal: questions on standard error, answers from standard input, line by line.
package final class Dialogue {
  private let invocation: Invocation
  private let continuation: AsyncStream<String>.Continuation
  private var lines: AsyncStream<String>.Iterator
  private var watch: Watch?

  /// Whether there is a user to talk to: standard input and standard error are a terminal, and no program reads the result.
  package static func isPossible(_ invocation: Invocation) -> Bool {
    !invocation.wantsJSON && isatty(STDIN_FILENO) == 1 && invocation.console.errorTerminal.isTerminal
  }

  private init(_ invocation: Invocation) {
    self.invocation = invocation
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines.makeAsyncIterator()
    self.continuation = continuation
  }

  /// Runs the body with a dialogue. Nothing is read before something is asked.
  package static func with<Value>(
    _ invocation: Invocation, _ body: (Dialogue) async throws -> Value
  ) async throws -> Value {
    let dialogue = Dialogue(invocation)
    defer { if let watch = dialogue.watch { invocation.loop.unwatch(watch) } }
    return try await body(dialogue)
  }

  private func startReading() throws {
    guard watch == nil else { return }
    var rest: [UInt8] = []
    watch = try invocation.loop.watch(STDIN_FILENO, for: .reading) { [continuation] _ in
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
  }

  /// A line for the user.
  package func say(_ line: ShownText) { invocation.console.note(line) }

  /// Asks for a line.
  ///
  /// - Returns: the answer; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `CancellationError` when the user interrupts the command.
  package func ask(_ prompt: ShownText) async throws -> String? {
    try startReading()
    invocation.console.prompt("\(prompt) ")
    // While the user is asked, an interrupt is an answer: what is open can still be closed in order.
    let stop: @Sendable () -> Void = { [continuation] in continuation.finish() }
    let line = await invocation.interruption.heard(by: stop) { await lines.next(isolation: #isolation) }
    if invocation.interruption.signal != nil { throw CancellationError() }
    try Task.checkCancellation()
    if line == nil { invocation.console.prompt("\n") }
    return line
  }

  /// Asks for a line of which the terminal shows nothing.
  ///
  /// - Returns: the answer; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `CancellationError` when the user interrupts the command; the terminal is then as it was.
  package func askHidden(_ prompt: ShownText) async throws -> String? {
    try await RawTerminal.withoutEcho { try await ask(prompt) }
  }

  /// Asks for one of several things by its number.
  ///
  /// - Returns: its index; `nil` when the user chooses none (an empty line, or Ctrl-D).
  package func choose(_ prompt: ShownText, among count: Int) async throws -> Int? {
    while true {
      guard let answer = try await ask("\(prompt) (1–\(count), Enter for none):"), !answer.isEmpty else { return nil }
      if let number = Int(answer.filter { $0 != " " }), (1...count).contains(number) { return number - 1 }
      say("There is no “\(answer)”.")
    }
  }
}
