import ExtensionHosting
import ExtensionProtocol
import HostServices
import Testing

@testable import ExtensionTesting

/// What there is to show of a widget that does not run, and what a failure leaves behind.
@Suite(.timeLimit(.minutes(1)))
struct `The state of a widget` {
  private static let widget = "com.example.test.extension"
  private static let wide = WidgetPresentation(wanted: .expanded, columns: 100, maximumLines: 20)

  private func withService(_ body: (TodayService, StateDirectory) async throws -> Void) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    try await body(TodayService(state: folder.state) { _ in nil }, folder.state)
  }

  /// A host that knows no extension.
  private func host(_ state: StateDirectory) throws -> ExtensionHost {
    try ExtensionHost(
      configuration: ExtensionHost.Configuration(
        registry: ExtensionRegistry(RegistrySources()), state: state, launcherPath: "/nonexistent"), services: [])
  }

  @Test func `is nothing before the first update`() async throws {
    try await withService { service, _ in
      let state = service.stored(Self.widget, in: WidgetPresentation())
      #expect(state.outcome == nil && state.snapshot == nil && state.error == nil && state.unknownKeys == [])
      #expect(!state.isStale && !state.isHidden)
      #expect(state.displayMode == .compact && state.size == WidgetSize(width: 80, height: 6))
    }
  }

  @Test func `is the last view, which a failure makes stale and a success fresh`() async throws {
    try await withService { service, _ in
      let snapshot = SnapshotStore.Snapshot(view: "old", updatedAt: 1)
      try await service.records.change(Self.widget) { $0.record(.failed, at: 1) }
      #expect(!service.stored(Self.widget, in: Self.wide).isStale)
      try await service.snapshots.store(snapshot, of: Self.widget)
      let state = service.stored(Self.widget, in: Self.wide)
      #expect(state.snapshot == snapshot && state.isStale && !state.isHidden)
      try await service.records.change(Self.widget) { $0.record(.noData, at: 2) }
      #expect(!service.stored(Self.widget, in: Self.wide).isStale)
      #expect(service.stored("com.example.test.other", in: Self.wide).snapshot == nil)
    }
  }

  @Test func `has the size that the widget asked for when it last ran`() async throws {
    try await withService { service, _ in
      #expect(service.stored(Self.widget, in: Self.wide).displayMode == .compact)
      try await service.records.change(Self.widget) { $0.largestDisplayMode = .expanded }
      let largest = service.stored(Self.widget, in: Self.wide)
      #expect(largest.displayMode == .expanded && largest.size == WidgetSize(width: 100, height: 20))
      var asked = Self.wide
      _ = asked.event(.setPreferredHeight(12))
      #expect(service.stored(Self.widget, in: asked).size.height == 12)
      try await service.records.change(Self.widget) { $0.preferredHeight = 9 }
      #expect(service.stored(Self.widget, in: asked).size == WidgetSize(width: 100, height: 9))
      let compact = service.stored(Self.widget, in: WidgetPresentation(columns: 40))
      #expect(compact.displayMode == .compact && compact.size == WidgetSize(width: 40, height: 6))
    }
  }

  @Test func `is empty while it is hidden, and nothing is due`() async throws {
    try await withService { service, state in
      try await service.records.change(Self.widget) { $0.record(.failed, at: 1000) }
      #expect(service.nextUpdate(of: Self.widget, interval: 30) == 1060)
      try await service.setHasContent(false, of: Self.widget)
      // Another host may have kept a view in the same moment.
      try await service.snapshots.store(SnapshotStore.Snapshot(view: "old", updatedAt: 1), of: Self.widget)
      let hidden = service.stored(Self.widget, in: WidgetPresentation())
      #expect(hidden.isHidden && hidden.snapshot == nil && !hidden.isStale)
      #expect(service.nextUpdate(of: Self.widget, interval: 30) == nil)
      let host = try host(state)
      let update = await service.update(Self.widget, on: host, reason: .scheduled, in: WidgetPresentation()) { _ in
        Issue.record("A hidden widget has no answer.")
      }
      #expect(update.outcome == .noData && update.error == nil && update.isHidden)
      let choice = await service.select(0, action: "go", of: Self.widget, on: host, in: WidgetPresentation())
      #expect(choice.outcome == .noData && choice.error == nil && choice.isHidden)
      #expect(service.records.record(of: Self.widget).failures == 1)
    }
  }

  @Test func `is a failure, which counts, when the widget cannot be updated`() async throws {
    try await withService { service, state in
      try await service.snapshots.store(SnapshotStore.Snapshot(view: "old", updatedAt: 1), of: Self.widget)
      let host = try host(state)
      for count in 1...2 {
        let update = await service.update(Self.widget, on: host, reason: .visible, in: WidgetPresentation()) { _ in
          Issue.record("A widget that is not there has no answer.")
        }
        #expect(update.outcome == .failed && update.error?.code == .extensionUnknown)
        #expect(update.snapshot?.view == "old" && update.isStale && !update.isHidden)
        let record = service.records.record(of: Self.widget)
        #expect(record.failures == count && record.lastUpdate != nil)
        let wait = record.notBefore.map { ($0 - (record.lastUpdate ?? 0)).rounded() }
        #expect(wait == (count == 1 ? 60 : 120))
      }
    }
  }

  @Test func `is as before when a row cannot be chosen`() async throws {
    try await withService { service, state in
      try await service.snapshots.store(SnapshotStore.Snapshot(view: "old", updatedAt: 1), of: Self.widget)
      let choice = await service.select(
        0, action: "go", of: Self.widget, on: try host(state), in: WidgetPresentation())
      #expect(choice.outcome == .failed && choice.error?.code == .extensionUnknown)
      #expect(choice.snapshot?.view == "old" && !choice.isStale)
      #expect(service.records.record(of: Self.widget) == WidgetRecord())
    }
  }

  @Test func `is as new when the widget comes back, and only then`() async throws {
    try await withService { service, _ in
      try await service.records.change(Self.widget) {
        $0.record(.failed, at: 1000)
        $0.largestDisplayMode = .expanded
      }
      try await service.snapshots.store(SnapshotStore.Snapshot(view: "old", updatedAt: 1), of: Self.widget)
      let before = service.records.record(of: Self.widget)
      // It was there all the time.
      try await service.setHasContent(true, of: Self.widget)
      #expect(service.records.record(of: Self.widget) == before)
      #expect(service.snapshots.snapshot(of: Self.widget) != nil)
      try await service.setHasContent(false, of: Self.widget)
      #expect(service.records.record(of: Self.widget).failures == 1)
      #expect(service.snapshots.snapshot(of: Self.widget) == nil)
      try await service.setHasContent(true, of: Self.widget)
      var fresh = WidgetRecord()
      fresh.largestDisplayMode = .expanded
      #expect(service.records.record(of: Self.widget) == fresh)
    }
  }

  @Test func `has no view when the widget comes back, whoever stored one meanwhile`() async throws {
    try await withService { service, _ in
      let snapshot = SnapshotStore.Snapshot(view: "old", updatedAt: 1)
      try await service.setHasContent(false, of: Self.widget)
      // An update that began before it was hidden.
      try await service.snapshots.store(snapshot, of: Self.widget)
      try await service.setHasContent(true, of: Self.widget)
      #expect(service.stored(Self.widget, in: Self.wide).snapshot == nil)
      try await service.snapshots.store(snapshot, of: Self.widget)
      try await service.setHasContent(true, of: Self.widget)
      #expect(service.stored(Self.widget, in: Self.wide).snapshot == snapshot)
    }
  }

  @Test func `has the time of the last update, whatever came of it`() {
    var record = WidgetRecord()
    record.record(.failed, at: 1000)
    #expect(record.lastUpdate == 1000 && record.notBefore == 1060 && record.failures == 1)
    record.record(.newData, at: 1010)
    #expect(record.lastUpdate == 1010 && record.notBefore == nil && record.failures == 0 && !record.isStale)
    record.failures = 1000
    record.record(.failed, at: 2000)
    #expect(record.failures == 1001 && record.notBefore == 5600)
  }

  @Test func `is a view no more once the store forgets it`() async throws {
    try await withService { service, _ in
      let snapshot = SnapshotStore.Snapshot(view: "old", updatedAt: 1)
      for widget in ["a", "b"] { try await service.snapshots.store(snapshot, of: widget) }
      service.snapshots.remove("a")
      #expect(service.snapshots.snapshot(of: "a") == nil && service.snapshots.snapshot(of: "b") == snapshot)
    }
  }
}
