import Contracts
import EventLoop
import ExtensionProtocol
import Synchronization
import TestSupport
import Testing

@testable import CommandRuntime
@testable import ExtensionHosting

/// A question at the terminal and on the page, where there are both.
@Suite(.timeLimit(.minutes(1)))
struct `A question that is asked in two places` {
  private let stage: CommandStage
  private let loop: EventLoop

  init() throws {
    stage = try CommandStage()
    loop = try EventLoop.started(name: "question", spin: .zero)
  }

  private static var question: PermissionQuestion {
    let caller = Caller.Identity(
      id: "org.a.clock", version: nil, displayName: "Clock", point: .today, containingApp: "org.a", groups: [],
      entitlements: [])
    return PermissionQuestion(caller: caller, permission: .data, scope: [], reason: "")
  }

  /// Whether the terminal was left alone in the end.
  private final class Left: Sendable {
    private let state = Mutex(false)
    var value: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
  }

  private func asker(_ terminal: (@Sendable (PermissionQuestion) async -> Consent.Answer)?) throws -> UserQuestion {
    UserQuestion(try stage.invocation(["run"], loop: loop), stage.state, asking: terminal)
  }

  @Test func `takes the answer of the terminal where no page is served`() async throws {
    #expect(try await asker { _ in .granted }.ask(Self.question) == .granted)
    #expect(try await asker { _ in .denied }.ask(Self.question) == .denied)
    #expect(stage.errors == "")
    // With neither, nothing is decided.
    #expect(try await asker(nil).ask(Self.question) == .dismissed)
  }

  @Test func `takes the answer of the page, and leaves the terminal`() async throws {
    let (state, loop, left) = (stage.state, loop, Left())
    let user = try asker { _ in
      await untilCancelled()
      left.set()
      return .dismissed
    }
    let answer = await withTaskGroup(of: Consent.Answer?.self) { group in
      group.addTask {
        await QuestionDesk(state).serve(on: loop) { asked in asked.caller.id == "org.a.clock" ? .granted : .denied }
        return nil
      }
      // The page may not be there when it is asked the first time, and the terminal says nothing.
      group.addTask {
        while await QuestionDesk(state).ask(Self.question, on: loop) == nil { await Task.yield() }
        return await user.ask(Self.question)
      }
      let answer = await group.next() ?? nil
      group.cancelAll()
      return answer
    }
    #expect(answer == .granted && left.value)
    #expect(stage.errors.contains("allowed. That was answered in the browser."))
  }

  @Test func `says that nothing was decided when it is taken back, and only then`() async throws {
    #expect(try await asker { _ in .dismissed }.ask(Self.question) == .dismissed)
    #expect(stage.errors == "")
    let user = try asker { _ in
      await untilCancelled()
      return .dismissed
    }
    let answer = await withTaskGroup(of: Consent.Answer.self) { group in
      group.addTask { await user.ask(Self.question) }
      group.cancelAll()
      return await group.next()
    }
    #expect(answer == .dismissed)
    #expect(stage.errors == "Clock (org.a.clock) asks for “data”: not decided.\n")
  }
}
