import ExtensionProtocol
import Foundation
import HTML
import HostServices
import PropertyList
import Synchronization
import TestSupport
import Testing

@testable import ExtensionHosting
@testable import HostPage

/// A desk whose host starts nothing: each update fails at once, and the widget's record counts it.
@Suite(.timeLimit(.minutes(1)))
struct `The desk of the widgets` {
  private let stage: PageStage
  private let feed = PageFeed()
  private let desk: TodayDesk
  private var today: TodayService { stage.host.service(TodayService.self) }
  private var failures: Int { today.records.record(of: PageStage.widget).failures }

  init() throws {
    stage = try PageStage()
    desk = TodayDesk(host: stage.host, feed: feed, interval: .seconds(3_600))
  }

  /// What the pages hear of the desk.
  private struct Heard: Sendable {
    let lines: AsyncStream<[String]>

    func next() async -> [String]? {
      var iterator = lines.makeAsyncIterator()
      return await iterator.next()
    }
  }

  /// Runs the desk, with what the pages hear of it.
  private func withRunning(_ body: (Heard) async throws -> Void) async throws {
    let (lines, heard) = AsyncStream.makeStream(of: [String].self)
    let reader = Task { [feed] in await feed.follow { heard.yield($0) } }
    while feed.count == 0 { await Task.yield() }
    let work = Task { [desk] in await desk.run() }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(Heard(lines: lines))) } catch { outcome = .failure(error) }
    work.cancel()
    reader.cancel()
    await work.value
    await reader.value
    try outcome.get()
  }

  @Test func `updates a widget when somebody looks, and not when they look again at once`() async throws {
    await desk.look()
    await desk.look()
    #expect(failures == 0, "nothing runs yet")
    try await withRunning { heard in
      #expect(await heard.next() == ["today"])
      let state = await desk.state(of: PageStage.widget)
      #expect(state.error?.code == .pointDisallows && state.outcome == .failed)
      #expect(failures == 1)
      await desk.look()
      // What follows a look that did nothing is the next update.
      await desk.update(PageStage.widget, .visible)
      #expect(await heard.next() == ["today"])
      #expect(failures == 2)
    }
  }

  @Test func `updates once more what changed during an update, however often`() async throws {
    for _ in 0..<4 { await desk.update(PageStage.widget, .push) }
    try await withRunning { heard in
      #expect(await heard.next() == ["today"])
      while failures < 2 { #expect(await heard.next() == ["today"]) }
      // Afterwards it is updated as at first.
      await desk.update(PageStage.widget, .visible)
      while failures < 3 { #expect(await heard.next() == ["today"]) }
      #expect(failures == 3)
    }
    #expect(failures == 3)
  }

  @Test func `shows no outcome of an update that was not made`() async throws {
    let state = await desk.state(of: PageStage.widget)
    #expect(state.outcome == nil && state.error == nil && state.snapshot == nil && !state.isHidden)
    try await today.records.change(PageStage.widget) { $0.hasContent = false }
    await desk.update(PageStage.widget, .visible)
    try await withRunning { heard in
      #expect(await heard.next() == ["today"])
      let hidden = await desk.state(of: PageStage.widget)
      #expect(hidden.isHidden && hidden.outcome == .noData && hidden.error == nil)
    }
    #expect(failures == 0, "a widget without content is not started")
  }

  @Test func `keeps which widgets are shown whole`() async throws {
    try await today.records.change(PageStage.widget) { $0.largestDisplayMode = .expanded }
    #expect(desk.canExpand(PageStage.widget) && !desk.canExpand("org.example.other"))
    #expect(await !desk.isExpanded(PageStage.widget))
    #expect(await desk.state(of: PageStage.widget).displayMode == .compact)
    await desk.setExpanded(true, PageStage.widget)
    #expect(await desk.isExpanded(PageStage.widget))
    #expect(await !desk.isExpanded("org.example.other"))
    #expect(await desk.state(of: PageStage.widget).displayMode == .expanded)
    await desk.setExpanded(false, PageStage.widget)
    #expect(await !desk.isExpanded(PageStage.widget))
    #expect(await desk.state(of: PageStage.widget).displayMode == .compact)
    try await withRunning { heard in
      while failures < 2 { _ = await heard.next() }
      #expect(failures == 2, "each change of the size is an update")
    }
  }

  @Test func `remembers of a row that failed nothing, and says so`() async throws {
    let state = await desk.select(0, action: "go", of: PageStage.widget)
    #expect(state.error?.code == .pointDisallows)
    #expect(await desk.state(of: PageStage.widget).error == nil)
    #expect(failures == 0)
    try await today.records.change(PageStage.widget) { $0.hasContent = false }
    #expect(await desk.select(0, action: "go", of: PageStage.widget).outcome == .noData)
    #expect(await desk.state(of: PageStage.widget).outcome == .noData)
  }

  @Test func `updates the widgets of a group that is written to, while somebody looks`() async throws {
    #expect(desk.groups == [PageStage.group] && desk.entries.map(\.identifier) == [PageStage.widget])
    let store = stage.host.service(DefaultsService.self).store
    try await store.apply(setting: ["old": 1], in: PageStage.group)
    // No scheduled update is due for long.
    try await today.records.change(PageStage.widget) { $0.notBefore = 4e9 }
    try await withRunning { heard in
      // The desk follows the group from some moment on.
      let writing = Task {
        var number: Int64 = 0
        while !Task.isCancelled {
          number += 1
          try await store.apply(setting: ["n": .integer(number)], in: PageStage.group)
          await Task.yield()
        }
      }
      var topics: Set<String> = []
      while !topics.isSuperset(of: ["groups", "today"]) { topics.formUnion(await heard.next() ?? []) }
      writing.cancel()
      _ = await writing.result
      #expect(topics == ["groups", "today"])
      #expect(failures > 0)
    }
  }

  @Test func `is shown as the page of the widgets`() async throws {
    let page = TodayPage(host: stage.host, desk: desk)
    let html = await page.content(.testing()).text
    #expect(html.contains("data-key=\"widget-\(PageStage.widget)\"") && html.contains("Waiting for its first view …"))
    let note = try await page.act(.testing(form: ["do": "update", "id": PageStage.widget])).words
    #expect(note == "Clock is brought up to date.")
    #expect(try await page.act(.testing(form: ["do": "expand", "id": PageStage.widget])).words == "")
    #expect(await desk.isExpanded(PageStage.widget))
    #expect(try await page.act(.testing(form: ["do": "shrink", "id": PageStage.widget])).words == "")
    #expect(await !desk.isExpanded(PageStage.widget))
    #expect(try await page.act(.testing(form: ["do": "sleep", "id": PageStage.widget])).words == "missing")
    #expect(try await page.act(.testing(form: ["do": "update"])).words == "missing")
    await #expect(throws: ExtensionError(.extensionUnknown, "")) {
      try await page.act(.testing(form: ["do": "update", "id": "org.example.none"])).words
    }
    let empty = try PageStage(hasApp: false)
    let other = TodayDesk(host: empty.host, feed: feed, interval: .seconds(1))
    #expect(await TodayPage(host: empty.host, desk: other).content(.testing()).text.contains("no Today widget yet"))
  }

  @Test func `does for a row what the user has seen, and asks before it opens anything`() async throws {
    let page = TodayPage(host: stage.host, desk: desk)
    let view = WidgetView(rows: [.init(title: "a", action: "go"), .init(title: "b", url: "tides:1")])
    try await today.snapshots.store(.init(view: view, updatedAt: 1), of: PageStage.widget)
    func act(_ row: String?, _ action: String) async throws -> String {
      var form = ["do": "act", "id": PageStage.widget, "action": action]
      form["row"] = row
      return try await page.act(.testing(form: form)).words
    }
    for (row, action) in [("0", "stop"), ("1", "go"), ("2", "go"), ("-1", "go"), (nil, "go"), ("x", "go")]
      as [(String?, String)]
    {
      await #expect(throws: ExtensionError(.invalidParams, ""), "\(row ?? "none") \(action)") {
        try await act(row, action)
      }
    }
    await #expect(throws: ExtensionError(.pointDisallows, "")) { try await act("0", "go") }
    let question = try await page.act(
      .testing(form: ["do": "ask", "id": PageStage.widget, "url": "tides:1?<b>"])
    ).words
    #expect(question.contains("<code class=\"long\"><bdi>tides:1?&lt;b&gt;</bdi></code>"))
    #expect(question.contains("The app <code><bdi>\(PageStage.app)</bdi></code> gets it."))
    for url in ["tides:1", "", "https://example.com"] {
      await #expect(throws: ExtensionError(.schemeUnregistered, ""), "\(url)") {
        try await page.act(.testing(form: ["do": "open", "id": PageStage.widget, "url": url])).words
      }
    }
  }

  @Test func `forgets what came of a widget when it is gone, and of no other`() async throws {
    try await today.records.change(PageStage.widget) { $0.hasContent = false }
    await desk.update(PageStage.widget, .visible)
    try await withRunning { heard in #expect(await heard.next() == ["today"]) }
    await desk.lookAgain()
    #expect(await desk.state(of: PageStage.widget).outcome == .noData, "it is still there")
    try FileManager.default.removeItem(atPath: stage.folder.file("Tides.app"))
    stage.host.registry = stage.host.registry.readAgain()
    #expect(desk.entries.isEmpty)
    await desk.lookAgain()
    #expect(await desk.state(of: PageStage.widget).outcome == nil)
  }

  @Test func `shows a widget in sixty columns and lines`() {
    for (isExpanded, mode) in [(false, WidgetDisplayMode.compact), (true, .expanded)] {
      #expect(
        desk.presentation(isExpanded: isExpanded) == WidgetPresentation(wanted: mode, columns: 60, maximumLines: 60))
    }
  }
}
