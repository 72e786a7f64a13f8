import ExtensionProtocol
import Foundation
import HTML
import Testing

@testable import ExtensionHosting
@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The questions of the page` {
  private func question(_ id: String = "com.example.a", reason: String = "to look", scope: [String] = ["a.example"])
    -> PermissionQuestion
  {
    PermissionQuestion(
      caller: Caller.Identity(
        id: id, version: nil, displayName: reason, point: ExtensionPoint(rawValue: "com.apple.widget-extension"),
        containingApp: reason, groups: [], entitlements: []),
      permission: .network, scope: scope, reason: reason)
  }

  /// Questions whose changes the test hears.
  private func served(_ questions: PageQuestions) -> AsyncStream<Void>.Iterator {
    let (changes, signal) = AsyncStream.makeStream(of: Void.self)
    questions.whenChanged { signal.yield() }
    return changes.makeAsyncIterator()
  }

  @Test func `come one after the other, and each gets its own answer`() async throws {
    let questions = PageQuestions(pause: .zero)
    var changes = served(questions)
    let (one, other) = (question("com.example.first"), question("com.example.second"))
    async let first = questions.ask(one)
    _ = await changes.next()
    async let second = questions.ask(other)
    _ = await changes.next()
    let shown = try #require(questions.show())
    #expect(shown.question.caller.id == "com.example.first" && shown.others == 1)
    #expect(questions.answer("0", .granted) == .gone)
    #expect(questions.answer(shown.id, .grantedOnce) == .taken)
    #expect(questions.answer(shown.id, .denied) == .gone, "a second click answers nothing")
    #expect(await first == .grantedOnce)
    let next = try #require(questions.show())
    #expect(next.question.caller.id == "com.example.second" && next.others == 0)
    #expect(questions.answer(next.id, .denied) == .taken)
    #expect(await second == .denied)
    #expect(questions.show() == nil && questions.count == 0)
  }

  @Test func `are not answered by a click that came with them, or before anybody saw them`() async throws {
    let questions = PageQuestions(pause: .seconds(3_600))
    var changes = served(questions)
    let asked = question()
    async let answer = questions.ask(asked)
    _ = await changes.next()
    let shown = try #require(questions.show())
    #expect(questions.answer(shown.id, .granted) == .early)
    #expect(questions.count == 1)
    questions.end()
    #expect(await answer == .dismissed)
    #expect(questions.answer(shown.id, .granted) == .gone)
  }

  @Test func `are undecided while no page is served, and when the extension ends`() async throws {
    let unserved = PageQuestions()
    #expect(await unserved.ask(question()) == .dismissed)
    let questions = PageQuestions(pause: .zero)
    var changes = served(questions)
    let asked = question()
    await withTaskGroup(of: Consent.Answer.self) { group in
      group.addTask { await questions.ask(asked) }
      _ = await changes.next()
      group.cancelAll()
      for await answer in group { #expect(answer == .dismissed) }
    }
    #expect(questions.count == 0)
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "\"><button name=answer value=always>", "</section></div>", "' x='", "\u{202E}evil",
    "&quot;><b>", String(repeating: "long ", count: 10_000),
  ])
  func `show foreign words as words`(text: String) {
    let shown = PageQuestions.Shown(id: "1", question: question(text, reason: text, scope: [text, text]), others: 2)
    let html = QuestionPanel(shown, page: "today", formKey: "key").html.text
    #expect(html.count < 20_000)
    #expect(html.components(separatedBy: "<button").count == 6 && html.components(separatedBy: "<section").count == 2)
    #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("\u{202E}"))
    #expect(html.contains("2 more after this one."))
  }

  @Test func `offer no permission for one run where the sandbox holds it from the start`() {
    var asked = question()
    asked.permission = .generatedCode
    let html = QuestionPanel(.init(id: "1", question: asked, others: 0), page: "today", formKey: "key").html.text
    #expect(!html.contains("value=\"once\"") && html.contains("value=\"session\""))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A form of the page` {
  @Test(arguments: [
    ("a=1&b=2", ["a": "1", "b": "2"]), ("a=1&a=2", ["a": "1"]), ("", [:]), ("a", ["a": ""]), ("=x", ["": "x"]),
    ("a=b=c", ["a": "b=c"]), ("a=%3Cb%3E+c", ["a": "<b> c"]), ("a=%zz&b=1", ["b": "1"]), ("a=%00", ["a": "\0"]),
    ("&&a=1&", ["a": "1"]),
  ])
  func `has its fields`(text: String, fields: [String: String]) { #expect(PageRequest.fields(text) == fields) }

  @Test func `has so many of them at most`() {
    let text = (0..<1_000).map { "f\($0)=1" }.joined(separator: "&")
    #expect(PageRequest.fields(text).count == 64)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Words about times` {
  @Test(arguments: [
    (0.0, "just now"), (4.9, "just now"), (5, "5 seconds ago"), (59.9, "59 seconds ago"), (60, "1 minute ago"),
    (7_200, "2 hours ago"), (86_400, "1 day ago"), (-90, "in 1 minute"), (.nan, "just now"), (.infinity, "just now"),
    (1e300, "1000000 days ago"),
  ])
  func `are those of people`(seconds: Double, words: String) { #expect(Shown.ago(seconds) == words) }

  @Test(arguments: [0, -1e12, 1e300, .nan, .infinity]) func `stand for any number`(seconds: Double) {
    #expect(!Shown.time(seconds, now: 0).text.isEmpty)
  }
}
