import CommandLineTool
import EventLoop
import ExtensionHosting

/// Asks the user about a permission at the terminal and on the page that `host ui` serves, where there is one or the other:
/// the first answer counts.
struct UserQuestion: Sendable {
  private enum Heard: Sendable {
    case terminal(Consent.Answer)
    case page(Consent.Answer?)
  }

  private let terminal: (@Sendable (PermissionQuestion) async -> Consent.Answer)?
  private let desk: QuestionDesk
  private let loop: EventLoop
  private let console: Console

  init(_ invocation: Invocation, _ state: StateDirectory) {
    let terminal = TerminalQuestion.asker(invocation.console, invocation.input, loop: invocation.loop)
    self.init(invocation, state, asking: terminal)
  }

  /// - Parameter terminal: asks the user at the terminal; `nil` where there is none.
  init(
    _ invocation: Invocation, _ state: StateDirectory,
    asking terminal: (@Sendable (PermissionQuestion) async -> Consent.Answer)?
  ) {
    console = invocation.console
    self.terminal = terminal
    desk = QuestionDesk(state)
    loop = invocation.loop
  }

  /// - Returns: `dismissed` where there is neither.
  @Sendable func ask(_ question: PermissionQuestion) async -> Consent.Answer {
    guard let terminal else { return await desk.ask(question, on: loop) ?? .dismissed }
    let answer = await withTaskGroup(of: Heard.self) { group -> (Consent.Answer, isOfPage: Bool) in
      group.addTask { .terminal(await terminal(question)) }
      group.addTask { .page(await desk.ask(question, on: loop)) }
      for await heard in group {
        switch heard {
        case .terminal(let answer):
          group.cancelAll()
          return (answer, isOfPage: false)
        case .page(nil): continue
        case .page(let answer?):
          // The terminal is free again when this returns.
          group.cancelAll()
          await group.waitForAll()
          return (answer, isOfPage: true)
        }
      }
      return (.dismissed, isOfPage: false)
    }
    if answer.isOfPage {
      console.note("\(QuestionText(question).outcome(answer.0)) That was answered in the browser.")
    } else if Task.isCancelled {
      console.note(QuestionText(question).outcome(.dismissed))
    }
    return answer.0
  }
}
