import Foundation
import HostServices
import JSON
import PropertyList
import Testing
import Time

/// How long the write of another program takes until a browser shows it.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct `A write on its way to the page` {
  private static let group = "group.com.example.adventures"
  private static let writes = 40

  /// Has the page note when a number that was never there before stands in an element: the times of the change and of the
  /// first frame after it, in milliseconds since 1970.
  private static func watch(_ selector: String, _ pattern: String) -> String {
    """
    (() => {
      const [seen, times, waiting] = [new Set(), new Map(), new Map()];
      const now = () => performance.timeOrigin + performance.now();
      const look = () => {
        const text = document.querySelector(\(JSONValue.string(selector)))?.textContent ?? "";
        const number = Number(/\(pattern)/.exec(text)?.[1]);
        if (!number || seen.has(number)) return;
        seen.add(number);
        const changed = now();
        requestAnimationFrame(() => {
          const frame = new MessageChannel();
          frame.port1.onmessage = () => { times.set(number, [changed, now()]); waiting.get(number)?.(times.get(number)); };
          frame.port2.postMessage(0);
        });
      };
      window.shown = (number) => new Promise((done) => times.has(number) ? done(times.get(number)) : waiting.set(number, done));
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      return 1;
    })()
    """
  }

  /// Writes some times, and measures until the page shows each.
  ///
  /// - Parameters:
  ///   - part: the page.
  ///   - pattern: finds the thousands, which are written: the widget counts on from there.
  private func measure(_ name: String, part: String, _ selector: String, _ pattern: String) async throws {
    let folder = try TemporaryFolder()
    for file in ["Adventures.plist", "Clock.plist"] {
      try folder.write("manifests/\(file)", try String(contentsOfFile: "\(Build.samples)/\(file)", encoding: .utf8))
    }
    var host = try HostTool(folder)
    host.variables["ANNEX_PRODUCTS"] = Build.products
    let page = try await PageTool(host, manifests: ["\(folder.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await tab.until("document.getElementById('content').innerText.includes('Visit ')")
    if part != "today" { try await page.go(to: part, in: tab) }
    try await tab.until("document.querySelector(\(JSONValue.string(selector)))")
    try await tab.value(Self.watch(selector, pattern))
    let path = "\(host.home)/store/groups.sqlite"
    let store = SuiteStore.file { path }
    var (changed, drawn): ([Double], [Double]) = ([], [])
    for number in 1...Int64(Self.writes) {
      let begin = UnixTime.now.fractionalSeconds * 1_000
      try await store.apply(setting: ["visits": .integer(number * 1_000)], in: Self.group)
      let times = try await tab.value("shown(\(number))").arrayValue ?? []
      changed.append(try #require(times.first?.doubleValue) - begin)
      drawn.append(try #require(times.last?.doubleValue) - begin)
    }
    func figures(_ times: [Double]) -> String {
      let sorted = times.sorted()
      let parts = [0.5, 0.95, 1].map { sorted[min(sorted.count - 1, Int(Double(sorted.count) * $0))] }
      return zip(["p50", "p95", "longest"], parts).map { "\($0) \(Int($1.rounded())) ms" }.joined(separator: ", ")
    }
    print("write to \(name): changed \(figures(changed)); drawn \(figures(drawn))")
    // What is wanted is 50 ms on a quiet machine; tests have others beside them, which take the processors for a while, and
    // programs that are not optimized.
    #expect(changed.count == Self.writes && drawn.sorted()[Self.writes * 3 / 4] < 1_000, "\(drawn)")
    #expect(drawn.allSatisfy { $0 > 0 })
    #expect(browser.complaints == [])
  }

  @Test func `comes to a widget within a second, most of forty times`() async throws {
    try await measure(
      "widget", part: "today", "[data-key='widget-com.example.adventures.visits'] .view", #"Visit (\d+)\d{3}"#)
  }

  @Test func `comes to the page of groups within a second, most of forty times`() async throws {
    try await measure(
      "group", part: "groups", "[data-key='key-\(Self.group)-visits'] td", #"^(\d+)\d{3}$"#)
  }
}
