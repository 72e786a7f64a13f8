import ExtensionHosting
import ExtensionProtocol
import HTML
import Testing

@testable import HostPage
@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `The card of a widget` {
  private let stage: PageStage

  init() throws { stage = try PageStage() }

  private func html(
    _ view: WidgetView?, outcome: UpdateResult.Outcome? = nil, isStale: Bool = false, isHidden: Bool = false,
    mode: WidgetDisplayMode = .compact, error: ExtensionError? = nil, isExpanded: Bool = false, canExpand: Bool = false
  ) throws -> String {
    let state = WidgetState(
      outcome: outcome, snapshot: view.map { .init(view: $0, updatedAt: 0) }, isStale: isStale, isHidden: isHidden,
      displayMode: mode, size: stage.host.service(TodayService.self).stored(PageStage.widget, in: size).size,
      error: error)
    let entry = try #require(stage.host.registry.entry(PageStage.widget))
    return WidgetCard(entry: entry, state: state, isExpanded: isExpanded, canExpand: canExpand, formKey: "key").html
      .text
  }

  private var size: WidgetPresentation { WidgetPresentation(wanted: .compact, columns: 60, maximumLines: 60) }

  private static let rows: [(mode: WidgetDisplayMode, count: Int, shown: Int)] = [
    (.compact, 5, 5), (.compact, 6, 5), (.expanded, 6, 6), (.expanded, 60, 60), (.expanded, 62, 60), (.compact, 0, 0),
  ]

  @Test(arguments: rows) func `has five rows, or sixty`(mode: WidgetDisplayMode, count: Int, shown: Int) throws {
    let html = try html(WidgetView(rows: (0..<count).map { .init(title: "r\($0)") }), mode: mode)
    #expect(html.ranges(of: "<li><div class=\"row\">").count == shown)
    #expect(html.contains("<ul class=\"rows\">") == (count > 0))
    #expect(html.contains(" more</p>") == (count > shown))
    if count > shown { #expect(html.contains("<p class=\"faint\">and \(count - shown) more</p>")) }
  }

  @Test func `shows of a view what it has`() throws {
    let all = try html(WidgetView(title: "T", text: "some text", rows: [.init(title: "a", subtitle: "b", value: "c")]))
    #expect(all.contains("<h3><bdi>T</bdi></h3><p class=\"text\"><bdi>some text</bdi></p><ul class=\"rows\">"))
    let words = "<span class=\"words\"><span class=\"title\"><bdi>a</bdi></span>"
    #expect(
      all.contains("\(words)<span class=\"subtitle\"><bdi>b</bdi></span></span><span class=\"value\"><bdi>c</bdi>"))
    let none = try html(WidgetView(rows: [.init(title: "a")]))
    #expect(none.contains("\(words)</span></div></li>"))
    for mark in ["<h3>", "class=\"text\"", "class=\"subtitle\"", "class=\"value\"", "class=\"mark\""] {
      #expect(!none.contains(mark), "\(mark)")
    }
  }

  @Test func `shows more of a text when it is shown whole`() throws {
    let view = WidgetView(text: String(repeating: "e\u{301}", count: 2_001))
    for (isExpanded, most) in [(false, 400), (true, 4_000)] {
      let text = String(repeating: "e\u{301}", count: most / 2)
      #expect(try html(view, isExpanded: isExpanded).contains("<p class=\"text\"><bdi>\(text)…</bdi></p>"))
    }
  }

  @Test func `lets a row be opened or done, an address before an action`() throws {
    let html = try html(
      WidgetView(rows: [
        .init(title: "a", url: "tides:1", action: "go"), .init(title: "b", action: "go"), .init(title: "c"),
      ]))
    func form(_ name: String, _ value: String) -> String {
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    let id = form("id", PageStage.widget)
    let key = form("form", "key")
    let asked = "<form method=\"post\" data-plain>" + form("do", "ask") + id + form("row", "0") + form("url", "tides:1")
    #expect(html.contains(asked + key + "<button class=\"row\" id=\"row-\(PageStage.widget)-0\">"))
    let done = "<form method=\"post\">" + form("do", "act") + id + form("row", "1") + form("action", "go")
    #expect(html.contains(done + key + "<button class=\"row\" id=\"row-\(PageStage.widget)-1\">"))
    #expect(html.ranges(of: "<span class=\"mark\">↗</span>").count == 1)
    #expect(html.ranges(of: "<span class=\"mark\">▸</span>").count == 1)
  }

  @Test func `says why there is no view`() throws {
    #expect(try html(nil).contains("Waiting for its first view …"))
    #expect(try html(nil, outcome: .noData).contains("Waiting for its first view …"))
    let failed = try html(nil, outcome: .failed)
    #expect(
      failed.contains("Nothing to show yet.") && failed.contains("<bdi>Clock reports that its update failed.</bdi>"))
    let hidden = try html(WidgetView(text: "secret"), isHidden: true)
    #expect(hidden.contains("It has nothing to show now.") && !hidden.contains("secret"))
    let error = try html(nil, outcome: .failed, error: ExtensionError(.launchFailed, "No.", recovery: "Look."))
    #expect(error.contains("<bdi>No.</bdi></p><p class=\"help\"><bdi>Look.</bdi>") && !error.contains("reports that"))
  }

  @Test func `says of what age the view is`() throws {
    let view = WidgetView(text: "x")
    #expect(try html(view, isStale: true).contains("<span class=\"tag warn\">stale</span>"))
    #expect(try !html(view).contains("stale</span>") && !html(view).contains("class=\"failure\""))
    #expect(try html(view).contains("<time datetime=\"1970-01-01T00:00:00Z\"") && !html(nil).contains("<time"))
  }

  private static let buttons: [(isExpanded: Bool, canExpand: Bool, labels: [String])] = [
    (false, false, ["Update"]), (false, true, ["Update", "Show more"]), (true, true, ["Update", "Show less"]),
    (true, false, ["Update", "Show less"]),
  ]

  @Test(arguments: buttons)
  func `grows where there is more, and shrinks in any case`(isExpanded: Bool, canExpand: Bool, labels: [String]) throws
  {
    let html = try html(nil, isExpanded: isExpanded, canExpand: canExpand)
    #expect(html.matches(of: /aria-label="([^"]*): Clock"/).map { String($0.output.1) } == labels)
    let words = ["Update": "update", "Show more": "expand", "Show less": "shrink"]
    for label in labels { #expect(html.contains("name=\"do\" value=\"\(words[label] ?? "")\"")) }
  }
}
