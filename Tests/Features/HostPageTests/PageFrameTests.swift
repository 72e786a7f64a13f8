import HTML
import HTTPServer
import Testing

@testable import HostPage

/// A page with a number in the menu.
private struct CountedPage: PagePart {
  let name: String
  var title: String { "The \(name)" }
  var topics: [String] = []
  var count = 0

  func content(_ request: PageRequest) -> HTML { "<p>x</p>" }
}

@Suite(.timeLimit(.minutes(1)))
struct `The frame of the pages` {
  private let parts = [
    CountedPage(name: "one", topics: ["a", "b"]), CountedPage(name: "two", count: 3),
    CountedPage(name: "three", count: -1),
  ]

  private func html(_ index: Int, note: String? = nil, isAnswer: Bool = false) -> String {
    PageFrame(
      title: "T&", parts: parts, part: parts[index], formKey: "key", question: nil, note: note, isAnswer: isAnswer
    ).html("<p>content</p>").text
  }

  @Test func `has a menu with the page that is open, and with what calls for attention`() {
    let entries = html(1).matches(of: /<li data-key="menu-(\w+)"><a href="(\w+)"([^>]*)>([^<]*)(.*?)<\/a><\/li>/)
    #expect(entries.map { String($0.output.1) } == ["one", "two", "three"])
    #expect(entries.map { String($0.output.2) } == ["one", "two", "three"])
    #expect(entries.map { String($0.output.3) } == ["", " aria-current=\"page\"", ""])
    #expect(entries.map { String($0.output.4) } == ["The one", "The two ", "The three"])
    #expect(entries.map { String($0.output.5) } == ["", "<span class=\"badge\">3</span>", ""])
  }

  @Test func `says what the script has to know`() {
    #expect(html(0).contains("<body data-form=\"key\" data-topics=\"a b questions\">"))
    #expect(html(1).contains("<body data-form=\"key\" data-topics=\"questions\">"))
    #expect(html(0).contains("<title>The one – T&amp;</title>") && html(0).contains("<h1>The one</h1>"))
    #expect(html(0).contains("<div data-key=\"question\"></div>"))
  }

  @Test func `tells an answer to a form from what the address shows`() {
    #expect(html(0).contains("<div id=\"content\"><p>content</p></div>"))
    #expect(html(0, isAnswer: true).contains("<div id=\"content\" data-answer><p>content</p></div>"))
    #expect(html(0).contains("<p id=\"note\" role=\"status\"></p>"))
    #expect(html(0, note: "<b>").contains("<p id=\"note\" role=\"status\">&lt;b&gt;</p>"))
    #expect(EntryPage(title: "T").html.text.contains("<p role=\"status\"></p>"))
    #expect(EntryPage(title: "T", note: "Used.").html.text.contains("<p role=\"status\">Used.</p>"))
  }

  private static let assets = [
    ("page.css", "text/css"), ("page.js", "text/javascript"), ("enter.js", "text/javascript"),
    ("icon.svg", "image/svg+xml"),
  ]

  @Test(arguments: assets) func `has files of its own, each of its type`(name: String, type: String) throws {
    let asset = try #require(PageAnswer.asset(name))
    #expect(asset.status == 200 && !asset.body.isEmpty)
    #expect(asset.headers.filter { $0.isNamed("Content-Type") }.map(\.value) == ["\(type); charset=utf-8"])
    #expect(PageAnswer.asset("\(name)x") == nil)
  }

  @Test func `sets a cookie only where there is one`() {
    let without = PageAnswer.go(to: "today")
    #expect(without.status == 303 && !without.headers.contains { $0.isNamed("Set-Cookie") })
    let with = PageAnswer.go(to: "/x/today", cookie: "a=b")
    #expect(with.headers.filter { $0.isNamed("Set-Cookie") }.map(\.value) == ["a=b"])
    #expect(with.headers.filter { $0.isNamed("Location") }.map(\.value) == ["/x/today"])
    #expect(with.headers.contains { $0.isNamed("Cache-Control") && $0.value == "no-store" })
  }
}
