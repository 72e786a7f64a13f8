import ExtensionProtocol
import Synchronization
import Testing

@testable import ExtensionHosting
@testable import HostPage

/// The questions of a page that ends and comes back, and what it hears of them.
@Suite(.timeLimit(.minutes(1)))
struct `The queue of questions` {
  private let questions = PageQuestions(pause: .zero)

  private func question(_ id: String = "com.example.a") -> PermissionQuestion {
    PermissionQuestion(
      caller: Caller.Identity(
        id: id, version: nil, displayName: "A", point: ExtensionPoint(rawValue: "com.apple.widget-extension"),
        containingApp: "", groups: [], entitlements: []),
      permission: .network, scope: [], reason: "")
  }

  /// What a page hears: each change once.
  private final class Page: Sendable {
    private let heard = Mutex(0)
    private let signal: AsyncStream<Void>.Continuation
    private let changes: AsyncStream<Void>
    var count: Int { heard.withLock { $0 } }

    init(_ questions: PageQuestions) {
      (changes, signal) = AsyncStream.makeStream()
      questions.whenChanged { [self] in
        heard.withLock { $0 += 1 }
        signal.yield()
      }
    }

    func change() async { for await _ in changes { return } }
  }

  @Test func `is empty after the end, and takes questions again when a page is served again`() async throws {
    let page = Page(questions)
    let asked = question()
    async let first = questions.ask(asked)
    await page.change()
    questions.end()
    #expect(await first == .dismissed)
    #expect(questions.count == 0 && questions.show() == nil)
    #expect(await questions.ask(asked) == .dismissed, "nobody is there to answer")
    #expect(page.count == 1, "a page that has ended hears nothing")
    let next = Page(questions)
    async let second = questions.ask(asked)
    await next.change()
    let shown = try #require(questions.show())
    #expect(shown.others == 0 && questions.count == 1)
    #expect(questions.answer(shown.id, .grantedForSession) == .taken)
    #expect(await second == .grantedForSession)
    #expect(page.count == 1)
  }

  @Test func `tells its page when a question comes and when it goes, and not of an answer in vain`() async throws {
    let page = Page(questions)
    let asked = question()
    async let answer = questions.ask(asked)
    await page.change()
    let shown = try #require(questions.show())
    #expect(page.count == 1)
    #expect(questions.answer("another", .granted) == .gone && page.count == 1)
    #expect(questions.answer(shown.id, .denied) == .taken && page.count == 2)
    #expect(questions.answer(shown.id, .granted) == .gone && page.count == 2)
    #expect(await answer == .denied)
  }

  @Test func `does not begin with who has given up already`() async {
    let page = Page(questions)
    let asked = question()
    let task = Task { [questions] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await questions.ask(asked)
    }
    #expect(await task.value == .dismissed)
    #expect(questions.count == 0 && page.count == 0)
  }

  @Test func `goes on with the second when the first gives up`() async throws {
    let page = Page(questions)
    let (one, other) = (question("com.example.first"), question("com.example.second"))
    let first = Task { [questions] in await questions.ask(one) }
    await page.change()
    async let second = questions.ask(other)
    await page.change()
    let before = try #require(questions.show())
    #expect(before.question.caller.id == "com.example.first" && before.others == 1)
    first.cancel()
    #expect(await first.value == .dismissed)
    #expect(questions.answer(before.id, .granted) == .gone, "an answer to the first is none to the second")
    let after = try #require(questions.show())
    #expect(after.question.caller.id == "com.example.second" && after.others == 0)
    #expect(questions.answer(after.id, .granted) == .taken)
    #expect(await second == .granted)
  }
}
