import ExtensionHosting
import HTML
import HostServices
import PropertyList
import Testing

@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The page of groups` {
  private let stage: PageStage
  private let page: GroupsPage
  private var store: SuiteStore { stage.host.service(DefaultsService.self).store }

  init() throws {
    stage = try PageStage()
    page = Self.page(of: stage)
  }

  private static func page(of stage: PageStage) -> GroupsPage {
    GroupsPage(
      host: stage.host, store: stage.host.service(DefaultsService.self).store,
      desk: TodayDesk(host: stage.host, feed: PageFeed(), interval: .seconds(60)))
  }

  /// The keys that are shown, in their order.
  private func keys(_ query: String? = nil) async throws -> [String] {
    try await page.content(.testing(query: query)).text.matches(of: /data-key="key-group\.org\.example\.tides-([^"]*)"/)
      .map { String($0.output.1) }
  }

  @Test func `shows the keys in order, with their values and revisions`() async throws {
    let empty = try await page.content(.testing()).text
    #expect(empty.contains("Revision 0, 0 keys</p><p class=\"nothing\">Nothing is stored.</p>"))
    try await store.apply(setting: ["b": 1, "a": "x"], in: PageStage.group)
    try await store.apply(setting: ["b": 2], in: PageStage.group)
    let html = try await page.content(.testing()).text
    #expect(html.contains("Revision 2, 2 keys</p>") && !html.contains("more keys"))
    #expect(try await keys() == ["a", "b"])
    #expect(html.contains("<td class=\"long\"><bdi>x</bdi></td><td class=\"number\">1</td>"))
    #expect(html.contains("<span class=\"value\">2</span></td><td class=\"number\">2</td>"))
  }

  @Test func `finds keys by a part of them`() async throws {
    try await store.apply(setting: ["tide": 1, "moon": 2, "tideless": 3], in: PageStage.group)
    #expect(try await keys("find=tide") == ["tide", "tideless"])
    #expect(try await keys("find=less") == ["tideless"])
    #expect(try await keys("find=") == ["moon", "tide", "tideless"])
    let none = try await page.content(.testing(query: "find=sun")).text
    #expect(none.contains("No key contains that.") && none.contains("value=\"sun\"") && none.contains("3 keys</p>"))
  }

  @Test func `shows 500 keys at most, and says how many there are besides`() async throws {
    var values: [String: PropertyListValue] = [:]
    for number in 1_000..<1_500 { values["k\(number)"] = 1 }
    try await store.apply(setting: values, in: PageStage.group)
    #expect(try await !page.content(.testing()).text.contains("more keys"))
    try await store.apply(setting: ["k1500": 1, "k1501": 1], in: PageStage.group)
    let html = try await page.content(.testing()).text
    #expect(html.contains("<p class=\"faint\">and 2 more keys; find some of them</p>") && html.contains("502 keys</p>"))
    let shown = try await keys()
    #expect(shown.count == 500 && shown.last == "k1499")
  }

  @Test func `says that there is no group`() async throws {
    let none = try PageStage(hasApp: false)
    #expect(
      try await Self.page(of: none).content(.testing()).text
        == "<p class=\"nothing\">No extension has an app group.</p>")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A value of a group on the page` {
  private func html(_ value: PropertyListValue) -> String { GroupValue(value).html.text }

  @Test func `is shown as what it is`() {
    #expect(html("<b>") == "<bdi>&lt;b&gt;</bdi>")
    #expect(html(-3) == "<span class=\"value\">-3</span>" && html(0.5) == "<span class=\"value\">0.5</span>")
    #expect(html(true) == "<span class=\"value\">true</span>" && html(false) == "<span class=\"value\">false</span>")
    #expect(html(.data([1, 2])) == "<span class=\"faint\">2 bytes</span>")
    #expect(html(.date(0)).hasPrefix("<time datetime=\"1970-01-01T00:00:00Z\""))
    #expect(html([1, "a"]) == "<ol><li><span class=\"value\">1</span></li><li><bdi>a</bdi></li></ol>")
    #expect(
      html(["b": 1, "a": "x"])
        == "<dl class=\"facts\"><dt><bdi>a</bdi></dt><dd><bdi>x</bdi></dd><dt><bdi>b</bdi></dt>"
        + "<dd><span class=\"value\">1</span></dd></dl>")
  }

  @Test func `is cut after 400 scalars`() {
    let text = String(repeating: "e\u{301}", count: 200)
    #expect(html(.string(text)) == "<bdi>\(text)</bdi>")
    #expect(html(.string(text + "x")) == "<bdi>\(text)…</bdi>")
  }

  @Test func `has twenty parts, and the number of the others`() {
    func items(_ count: Int) -> PropertyListValue { .array((0..<count).map { .integer(Int64($0)) }) }
    #expect(html(items(20)).ranges(of: "<li>").count == 20 && !html(items(20)).contains("more"))
    #expect(
      html(items(22)).ranges(of: "<li><span").count == 20 && html(items(22)).hasSuffix("<li>and 2 more</li></ol>"))
    func keys(_ count: Int) -> PropertyListValue {
      .dictionary(Dictionary(uniqueKeysWithValues: (10..<10 + count).map { ("\($0)", .integer(1)) }))
    }
    #expect(html(keys(20)).ranges(of: "<dt>").count == 20 && !html(keys(20)).contains("more"))
    let more = html(keys(21))
    #expect(
      more.ranges(of: "<dt>").count == 20 && more.hasSuffix("<dd>and 1 more</dd></dl>") && !more.contains("<bdi>30<"))
  }

  @Test func `is not followed below its fourth level`() {
    #expect(html([[["x"]]]) == "<ol><li><ol><li><ol><li><bdi>x</bdi></li></ol></li></ol></li></ol>")
    #expect(html([[[["x"]]]]) == "<ol><li><ol><li><ol><li><ol><li>…</li></ol></li></ol></li></ol></li></ol>")
    #expect(html(["a": ["b": ["c": ["d": 1]]]]).contains("<dt><bdi>d</bdi></dt><dd>…</dd>"))
  }
}
