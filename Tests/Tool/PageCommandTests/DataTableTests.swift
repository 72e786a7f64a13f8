import HTML
import JSON
import Testing

@testable import PageCommand

/// What the page shows of a database.
@Suite(.timeLimit(.minutes(1)))
struct `A table on the page` {
  private static func rows(_ count: Int) -> [JSONValue] { (0..<count).map { ["id": .integer(Int64($0))] } }
  private static func text(_ count: Int, from: Int = 0) -> String { DataPage.table("t", from: from, rows(count)).text }

  @Test func `has a column for each key, in the order in which they come`() {
    let read: [JSONValue] = [["id": 1, "name": "a"], ["id": 2, "more": .null, "name": true]]
    let heads = ["id", "name", "more"].map { "<th scope=\"col\"><code><bdi>\($0)</bdi></code></th>" }.joined()
    let null = "<span class=\"faint\">null</span>"
    func row(_ cells: String...) -> String {
      "<tr>\(cells.map { "<td class=\"long\">\($0)</td>" }.joined())</tr>"
    }
    func value(_ text: String) -> String { "<span class=\"value\"><bdi>\(text)</bdi></span>" }
    let lines = row(value("1"), "<bdi>a</bdi>", null) + row(value("2"), value("true"), null)
    #expect(
      DataPage.table("t", from: 0, read).text.contains(
        "<table class=\"list\"><thead><tr>\(heads)</tr></thead><tbody>\(lines)</tbody></table>"))
  }

  @Test func `has a column, and a place in the list, for each spelling of a name`() {
    var row = JSONObject()
    row["\u{e9}"] = 1
    row["e\u{301}"] = 2
    let text = DataPage.table("t", from: 0, [.object(row)]).text
    #expect(text.contains("<bdi>1</bdi>") && text.contains("<bdi>2</bdi>"))
    #expect(text.split(separator: "<th scope=\"col\">", omittingEmptySubsequences: false).count == 3)
    let list = DataPage.list(["\u{e9}", "e\u{301}"], "e\u{301}").text
    #expect(list.split(separator: "aria-current", omittingEmptySubsequences: false).count == 2)
  }

  @Test func `has fifty rows, and leads to those after them`() {
    #expect(Self.text(50).contains("Rows 1 to 50") && !Self.text(50).contains("More rows"))
    #expect(Self.text(51).contains("Rows 1 to 50"))
    #expect(Self.text(51).contains("href=\"data?table=t&amp;from=50\">More rows</a>"))
    #expect(Self.text(51).contains("<bdi>49</bdi>") && !Self.text(51).contains("<bdi>50</bdi>"))
    #expect(!Self.text(51).contains("Rows before"))
  }

  @Test func `leads to the rows before, from the first on`() {
    #expect(Self.text(1, from: 120).contains("href=\"data?table=t&amp;from=70\">Rows before</a>"))
    #expect(Self.text(1, from: 30).contains("href=\"data?table=t&amp;from=0\">Rows before</a>"))
    #expect(Self.text(1, from: 120).contains("Rows 121 to 121"))
  }

  @Test func `leads no deeper than to a million`() {
    #expect(Self.text(51, from: 999_999).contains("More rows"))
    #expect(!Self.text(51, from: 1_000_000).contains("More rows"))
  }

  @Test func `says that it has no rows`() {
    #expect(Self.text(0).contains("<p class=\"nothing\">No rows.</p>") && !Self.text(0).contains("Rows 1"))
    #expect(Self.text(0, from: 50).contains("<p class=\"nothing\">No rows any more.</p>"))
    #expect(Self.text(0, from: 50).contains("Rows before</a>"))
  }

  @Test func `is one of a list, which marks it`() {
    #expect(DataPage.list([], nil) == "<p class=\"nothing\">The database has no tables.</p>")
    let list = DataPage.list(["a", "b"], "b").text
    #expect(list.contains("<li><a class=\"button\" href=\"data?table=a\"><code><bdi>a</bdi></code></a></li>"))
    #expect(
      list.contains(
        "<li><a class=\"button\" href=\"data?table=b\" aria-current=\"true\"><code><bdi>b</bdi></code></a></li>"))
  }
}

/// The errors above an answer.
@Suite(.timeLimit(.minutes(1)))
struct `The errors of an operation` {
  private static func shown(_ count: Int) -> HTML? {
    DataPage.errors(["errors": .array((0..<count).map { ["message": "<\($0)>"] })])
  }

  @Test func `are not shown where there are none`() {
    #expect(DataPage.errors([:]) == nil && Self.shown(0) == nil)
  }

  @Test(arguments: [1, 20, 21]) func `are the first twenty`(count: Int) throws {
    let lines = (0..<min(count, 20)).map { "<p><bdi>&lt;\($0)&gt;</bdi></p>" }.joined()
    #expect(try #require(Self.shown(count)).text == "<div class=\"failure\">\(lines)</div>")
  }
}

/// The SQL under an answer.
@Suite(.timeLimit(.minutes(1)))
struct `The statements of an operation` {
  private static func shown(_ statements: [JSONValue]) -> HTML? {
    DataPage.statements(["extensions": ["annex": ["statements": .array(statements)]]])
  }

  @Test func `are not shown where there are none`() {
    #expect(DataPage.statements([:]) == nil && Self.shown([]) == nil)
  }

  @Test func `are shown with the field that each is for`() throws {
    let text = try #require(Self.shown([["path": ["movies", 0, "title"], "sql": "SELECT <1>"]])).text
    #expect(text.contains("<h4><code><bdi>movies.0.title</bdi></code></h4>"))
    #expect(text.contains("<bdi>SELECT &lt;1&gt;</bdi></pre>") && !text.contains("and more"))
  }

  @Test func `are shown with a word for those that were left out`() throws {
    let text = try #require(Self.shown([["sql": "SELECT 1"], ["count": 7]])).text
    #expect(text.contains("<bdi>SELECT 1</bdi>") && text.hasSuffix("<p class=\"faint\">and more</p>"))
  }

  @Test func `are the first hundred`() throws {
    let text = try #require(Self.shown((1...101).map { ["sql": "SELECT \($0)"] })).text
    #expect(text.contains("<bdi>SELECT 1</bdi>") && text.contains("<bdi>SELECT 100</bdi>"))
    #expect(!text.contains("<bdi>SELECT 101</bdi>"))
  }
}
