import CommandLineTool
import EventLoop
import ExtensionHosting
import Glibc

/// Asks the user at the terminal whether an extension may have a permission, one question at a time.
///
/// No key that was pressed for something else answers: what was typed before and in the first half second is thrown away,
/// and the answer that allows is a word that the question shows and that nobody knows before.
struct TerminalQuestion: Sendable {
  /// What happens while the question is open.
  private enum Event: Sendable {
    case typed([UInt8])
    /// From now on keys count.
    case ready
    /// The user has pressed no key for so long that nobody seems to be there.
    case late
    /// The terminal is gone.
    case ended
  }

  /// How long keys do not count: what was on its way when the question appeared was meant for something else.
  static let pause = Duration.milliseconds(500)
  /// How long a user may press no key.
  private static let patience = Duration.seconds(60)
  /// How often a user may mistype the word.
  private static let attempts = 3

  private let console: Console
  private let input: TerminalInput
  private let loop: EventLoop

  /// Returns a closure that asks at the terminal; `nil` without a terminal.
  static func asker(
    _ console: Console, _ input: TerminalInput, loop: EventLoop
  ) -> (@Sendable (PermissionQuestion) async -> Consent.Answer)? {
    guard isatty(STDIN_FILENO) == 1, console.errorTerminal.isTerminal else { return nil }
    let terminal = TerminalQuestion(console: console, input: input, loop: loop)
    return { question in await withTaskExecutorPreference(loop) { await terminal.ask(question) } }
  }

  private func ask(_ question: PermissionQuestion) async -> Consent.Answer {
    do {
      return try await input.turn {
        // What was typed before is thrown away with the change of the mode.
        try await RawTerminal.with(.answer, isFlushing: true) { try await put(question) }
      }
    } catch {
      return .dismissed
    }
  }

  private func put(_ question: PermissionQuestion) async throws -> Consent.Answer {
    let text = QuestionText(question)
    let (events, source) = AsyncStream.makeStream(of: Event.self)
    let size = TerminalSize(descriptor: STDERR_FILENO) ?? TerminalSize(columns: 80, lines: 24)
    console.open(Prompt(text.lines(in: size), mark: "", isEditedByTerminal: false))
    let timer = loop.schedule(after: Self.pause) {
      RawTerminal.flush()
      source.yield(.ready)
    }
    defer { loop.cancel(timer) }
    do {
      let said = try await input.reading({ source.yield($0.map(Event.typed) ?? .ended) }) {
        await answer(text, from: events, late: source)
      }
      // Whoever cancels says what became of the question.
      console.close(leaving: Task.isCancelled ? [] : [text.outcome(said)])
      return said
    } catch {
      console.close(leaving: Task.isCancelled ? [] : [text.outcome(.dismissed)])
      throw error
    }
  }

  /// - Returns: `dismissed` too when the task is cancelled: the extension does not wait any more.
  private func answer(
    _ text: QuestionText, from events: AsyncStream<Event>, late: AsyncStream<Event>.Continuation
  ) async -> Consent.Answer {
    var line = AnswerLine(word: text.word, attempts: Self.attempts)
    var isReady = false
    var problem: ShownText?
    var timer: TimerToken?
    defer { if let timer { loop.cancel(timer) } }
    for await event in events {
      if let timer { loop.cancel(timer) }
      timer = loop.schedule(after: Self.patience) { late.yield(.late) }
      switch event {
      case .typed(let bytes):
        guard isReady else { continue }
        if let answer = line.take(bytes) { return answer }
      case .ready: isReady = true
      case .late, .ended: return .dismissed
      }
      console.change { prompt in
        prompt.mark = "> "
        prompt.typed = ShownText(whole: line.typed)
        if let new = line.problem, new != problem { prompt.lines.append(new) }
      }
      problem = line.problem
    }
    return .dismissed
  }
}
