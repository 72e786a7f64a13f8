package import CommandLineTool
import EventLoop
import Glibc

/// A conversation with a user at a terminal: questions on standard error, answers from standard input, line by line.
package final class Dialogue {
  private let invocation: Invocation
  /// What was read behind the last line that was asked for.
  private var rest: [UInt8] = []
  private var isOver = false

  /// Whether there is a user to talk to: standard input and standard error are a terminal, and no program reads the result.
  package static func isPossible(_ invocation: Invocation) -> Bool {
    !invocation.wantsJSON && isatty(STDIN_FILENO) == 1 && invocation.console.errorTerminal.isTerminal
  }

  private init(_ invocation: Invocation) { self.invocation = invocation }

  /// Runs the body with a dialogue. Nothing is read before something is asked.
  package static func with<Value>(
    _ invocation: Invocation, _ body: (Dialogue) async throws -> Value
  ) async throws -> Value {
    try await body(Dialogue(invocation))
  }

  /// Runs the body with a dialogue that the user did not begin: what was typed before the first question, and in its first
  /// half second, is thrown away. Nobody else asks the user anything before the body ends.
  package static func interrupting<Value>(
    _ invocation: Invocation, _ body: (Dialogue) async throws -> Value
  ) async throws -> Value {
    try await invocation.input.turn {
      let dialogue = Dialogue(invocation)
      dialogue.hasTurn = true
      dialogue.isUnexpected = true
      return try await body(dialogue)
    }
  }

  private var hasTurn = false
  /// Whether the next question is one that the user could not expect.
  private var isUnexpected = false

  /// A line for the user.
  package func say(_ line: ShownText) { invocation.console.note(line) }

  /// Asks for a line.
  ///
  /// - Returns: the answer; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `CancellationError` when the user interrupts the command.
  package func ask(_ prompt: ShownText) async throws -> String? { try await ask(prompt, .own) }

  /// Asks for a line of which the terminal shows nothing.
  ///
  /// - Returns: the answer; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `CancellationError` when the user interrupts the command; the terminal is then as it was.
  package func askHidden(_ prompt: ShownText) async throws -> String? { try await ask(prompt, .hidden) }

  private func ask(_ prompt: ShownText, _ mode: RawTerminal.Mode) async throws -> String? {
    if hasTurn { return try await put(prompt, mode) }
    return try await invocation.input.turn { try await put(prompt, mode) }
  }

  private func put(_ prompt: ShownText, _ mode: RawTerminal.Mode) async throws -> String? {
    if isOver { return nil }
    if isUnexpected {
      isUnexpected = false
      // What is typed until the prompt is there was meant for something else, and is not shown either.
      try await RawTerminal.with(.hidden, isFlushing: true) {
        try await invocation.input.reading({ _ in }) { try await invocation.loop.sleep(for: TerminalQuestion.pause) }
        RawTerminal.flush()
      }
    }
    return try await RawTerminal.with(mode) {
      invocation.console.open(Prompt(mark: "\(prompt) ", isEditedByTerminal: true))
      do {
        let line = try await line()
        // The line that the user could not end.
        invocation.console.close(leaving: line == nil ? [""] : [])
        return line
      } catch {
        invocation.console.close()
        throw error
      }
    }
  }

  private func line() async throws -> String? {
    let (chunks, source) = AsyncStream.makeStream(of: [UInt8].self)
    // While the user is asked, an interrupt is an answer: what is open can still be closed in order.
    let stop: @Sendable () -> Void = { source.finish() }
    let read: TerminalInput.Reader = { bytes in
      // The terminal hands over whole lines.
      if let bytes { source.yield(bytes) } else { source.finish() }
    }
    let line = try await invocation.input.reading(read) {
      await invocation.interruption.heard(by: stop) { await self.line(of: chunks) }
    }
    if invocation.interruption.signal != nil { throw CancellationError() }
    try Task.checkCancellation()
    return line
  }

  private func line(of chunks: AsyncStream<[UInt8]>) async -> String? {
    var chunks = chunks.makeAsyncIterator()
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard let chunk = await chunks.next(isolation: #isolation) else {
        isOver = true
        return nil
      }
      rest += chunk
    }
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
