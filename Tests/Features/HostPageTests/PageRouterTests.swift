import ExtensionProtocol
import HTML
import HTTPServer
import Testing

@testable import ExtensionHosting
@testable import HostPage

/// A page that does what its form says.
private struct PlainPage: PagePart {
  let name: String
  var title: String { "The \(name)" }
  let topics: [String] = []

  func content(_ request: PageRequest) throws -> HTML {
    if request.query["fail"] != nil { throw ExtensionError(.invalidParams, "It failed.") }
    return "<p>content of \(name)</p>"
  }

  func act(_ request: PageRequest) async throws -> PageOutcome {
    switch request.form["do"] {
    case "done": return .done("It is done.")
    case "show": return .show("<p>shown</p>")
    case "file": return .file(name: String(repeating: "ü", count: 121), [1, 2])
    case "fail": throw ExtensionError(.invalidParams, "It failed.")
    default: return .missing
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The ways to the pages` {
  private let keys = PageKeys()
  private let questions = PageQuestions(pause: .zero)
  private var router: PageRouter {
    PageRouter(
      title: "T", keys: keys, feed: PageFeed(), questions: questions,
      parts: [PlainPage(name: "first"), PlainPage(name: "second")])
  }

  private struct Answer {
    let status: Int
    let text: String
    let place: String?

    init(_ response: ServerResponse) {
      status = response.status
      text = String(decoding: response.body, as: UTF8.self)
      place = response.headers.first { $0.isNamed("Location") }?.value
    }
  }

  private func enter() throws -> String {
    String(try #require(keys.open(with: keys.newToken())).prefix { $0 != ";" })
  }

  private func ask(
    _ method: String, _ page: String, query: String? = nil, cookie: String, form: [String: String]? = nil,
    isPart: Bool = false
  ) async throws -> Answer {
    var headers = [ServerField("Cookie", cookie)]
    let key = try #require(keys.session(cookies: [cookie])).form
    var body = ""
    if let form {
      headers.append(ServerField("Content-Type", "Application/x-www-form-urlencoded; charset=utf-8"))
      body = form.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
      if isPart { headers.append(ServerField("X-Annex-Page", key)) } else { body += "&form=\(key)" }
    }
    return Answer(
      await router.answer(
        ServerRequest(
          method: method, path: "/\(keys.path)/\(page)", query: query, headers: headers, body: Array(body.utf8))))
  }

  @Test func `lead to one page each, and to the first without a name`() async throws {
    let cookie = try enter()
    let first = try await ask("GET", "first", cookie: cookie)
    #expect(first.status == 200 && first.text.contains("content of first"))
    #expect(try await ask("GET", "second", cookie: cookie).text.contains("content of second"))
    #expect(try await ask("HEAD", "second", cookie: cookie).status == 200)
    let none = try await ask("GET", "", cookie: cookie)
    #expect(none.status == 303 && none.place == "first")
    for page in ["third", "question", "First"] {
      #expect(try await ask("GET", page, cookie: cookie).status == 404, "\(page)")
    }
    #expect(try await ask("OPTIONS", "first", cookie: cookie).status == 405)
    #expect(try await ask("POST", "live", cookie: cookie, form: [:]).status == 404)
  }

  @Test func `show what was done once, and tell a script at once`() async throws {
    let cookie = try enter()
    let done = try await ask("POST", "second", cookie: cookie, form: ["do": "done"])
    #expect(done.status == 303 && done.place == "second")
    #expect(
      try await ask("GET", "first", cookie: cookie).text.contains("<p id=\"note\" role=\"status\">It is done.</p>"))
    #expect(!(try await ask("GET", "first", cookie: cookie).text.contains("It is done.")))
    let part = try await ask("POST", "second", cookie: cookie, form: ["do": "done"], isPart: true)
    #expect(part.status == 200 && part.text == "It is done.")
    #expect(!(try await ask("GET", "first", cookie: cookie).text.contains("It is done.")))
  }

  @Test func `give what a form asks for`() async throws {
    let cookie = try enter()
    let shown = try await ask("POST", "first", cookie: cookie, form: ["do": "show"])
    #expect(shown.status == 200 && shown.text.contains("<div id=\"content\" data-answer><p>shown</p></div>"))
    #expect(try await ask("POST", "first", cookie: cookie, form: ["do": "other"]).status == 404)
    let failed = try await ask("POST", "first", cookie: cookie, form: ["do": "fail"])
    let said = "<p><bdi>It failed.</bdi></p>"
    #expect(failed.status == 422 && failed.text.contains(said) && failed.text.contains("data-answer"))
    let part = try await ask("POST", "first", cookie: cookie, form: ["do": "fail"], isPart: true)
    #expect(part.status == 422 && part.text == "It failed.")
    let looked = try await ask("GET", "first", query: "fail", cookie: cookie)
    #expect(looked.status == 200 && looked.text.contains(said) && !looked.text.contains("data-answer"))
  }

  @Test func `hand over a file under a name of 120 letters at most`() async throws {
    let cookie = try enter()
    let key = try #require(keys.session(cookies: [cookie])).form
    let response = await router.answer(
      ServerRequest(
        method: "POST", path: "/\(keys.path)/first",
        headers: [
          ServerField("Cookie", cookie), ServerField("X-Annex-Page", key),
          ServerField("Content-Type", "application/x-www-form-urlencoded"),
        ], body: Array("do=file".utf8)))
    #expect(response.status == 200 && response.body == [1, 2])
    let disposition = response.headers.first { $0.isNamed("Content-Disposition") }?.value
    #expect(disposition == "attachment; filename*=UTF-8''" + String(repeating: "%C3%BC", count: 120))
    #expect(response.headers.first { $0.isNamed("Content-Type") }?.value == "application/octet-stream")
    #expect(response.headers.contains { $0.isNamed("Content-Security-Policy") })
  }

  @Test func `take an answer to a question, and say when nobody waits for it`() async throws {
    let cookie = try enter()
    let gone = "Nobody waits for this answer any more."
    let late = try await ask("POST", "question", cookie: cookie, form: ["id": "x", "answer": "once", "page": "second"])
    #expect(late.status == 303 && late.place == "second")
    #expect(try await ask("GET", "first", cookie: cookie).text.contains(gone))
    let elsewhere = try await ask(
      "POST", "question", cookie: cookie, form: ["id": "x", "answer": "never", "page": "x"])
    #expect(elsewhere.place == "first")
    for form in [["answer": "once"], ["id": "x"], ["id": "x", "answer": "maybe"]] {
      #expect(try await ask("POST", "question", cookie: cookie, form: form).status == 404, "\(form)")
    }
    let part = try await ask("POST", "question", cookie: cookie, form: ["id": "x", "answer": "later"], isPart: true)
    #expect(part.status == 200 && part.text == gone)
  }

  @Test(arguments: [
    ("once", Consent.Answer.grantedOnce), ("session", .grantedForSession), ("always", .granted), ("never", .denied),
    ("later", .dismissed),
  ])
  func `take each word for what it says`(word: String, answer: Consent.Answer) {
    #expect(PageAnswerWord(rawValue: word)?.answer == answer)
    #expect(PageAnswerWord.allCases.count == 5)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The news of the page` {
  @Test func `are what was touched since the last look, in one line`() async throws {
    let feed = PageFeed()
    feed.touch("before")
    let (lines, heard) = AsyncStream.makeStream(of: [String].self)
    let reader = Task { await feed.follow { heard.yield($0) } }
    while feed.count == 0 { await Task.yield() }
    var iterator = lines.makeAsyncIterator()
    feed.touch("b")
    #expect(await iterator.next() == ["b"])
    feed.touch("c")
    #expect(await iterator.next() == ["c"])
    reader.cancel()
    await reader.value
    #expect(feed.count == 0)
  }

  @Test func `come to every reader`() async throws {
    let feed = PageFeed()
    try await withThrowingTaskGroup(of: [String].self) { group in
      struct Enough: Error {}
      for _ in 0..<2 {
        group.addTask {
          do { try await feed.follow { if $0 == ["a"] { throw Enough() } } } catch {}
          return ["a"]
        }
      }
      while feed.count < 2 { await Task.yield() }
      feed.touch("a")
      for try await topics in group { #expect(topics == ["a"]) }
    }
    #expect(feed.count == 0)
  }
}
