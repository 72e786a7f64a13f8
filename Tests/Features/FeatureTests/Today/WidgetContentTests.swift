import JSON
import AppExtensions
import ExtensionHosting
import Files
import Glibc
import HostServices
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `Whether a widget has content` {
  private static let widget = "com.example.test.extension"

  /// A service whose widgets belong to `com.example.test`, and its folder.
  private func withService(_ body: (TodayService, TestHost) async throws -> Void) async throws {
    try await withStoredService { service, host, _ in try await body(service, host) }
  }

  private func withStoredService(_ body: (TodayService, TestHost, String) async throws -> Void) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let service = TodayService(state: folder.state) { $0.hasPrefix("com.example.test.") ? "com.example.test" : nil }
    try await body(service, TestHost(services: [service]), folder.path)
  }

  /// What the containing app says, as another process.
  private func app(_ host: TestHost, id: String = "com.example.test", _ flag: Bool, of widget: String) async throws {
    let identity = Caller.Identity.testing(id: id, point: .containingApp)
    try await host.inWidget(as: identity) { try await $0.setHasContent(flag, forWidget: widget) }
  }

  @Test func `is true at first`() async throws {
    try await withService { service, _ in #expect(service.records.record(of: Self.widget).hasContent) }
  }

  @Test func `is for the widget to deny: its snapshot goes, and it cannot come back by itself`() async throws {
    try await withService { service, host in
      try await service.snapshots.store(.init(view: "old", updatedAt: 1), of: Self.widget)
      try await host.inWidget { try await $0.setHasContent(true, forWidget: Self.widget) }
      #expect(service.snapshots.snapshot(of: Self.widget) != nil)
      try await host.inWidget { try await $0.setHasContent(false, forWidget: Self.widget) }
      #expect(service.snapshots.snapshot(of: Self.widget) == nil)
      #expect(!service.records.record(of: Self.widget).hasContent)
      let caught = await #expect(throws: ExtensionError.self) {
        try await host.inWidget { try await $0.setHasContent(true, forWidget: Self.widget) }
      }
      #expect(caught?.code == .permissionDenied)
      #expect(!service.records.record(of: Self.widget).hasContent)
    }
  }

  @Test func `is for the containing app to say, also of a widget that does not run`() async throws {
    try await withService { service, host in
      try await service.records.change(Self.widget) { $0.record(.failed, at: 1) }
      try await app(host, false, of: Self.widget)
      #expect(!service.records.record(of: Self.widget).hasContent)
      try await app(host, true, of: Self.widget)
      #expect(service.records.record(of: Self.widget) == WidgetRecord())
    }
  }

  @Test func `is nobody else's business`() async throws {
    try await withService { service, host in
      let attempts: [(Caller.Identity, String)] = [
        (.testing(), "com.example.test.other"), (.testing(), "com.example.test"),
        (.testing(id: "com.example.test", point: .containingApp), "org.example.widget"),
        (.testing(id: "org.example", point: .containingApp), Self.widget),
        (.testing(id: "com.example.test", point: .containingApp), "../records"),
      ]
      for (identity, widget) in attempts {
        let caught = await #expect(throws: ExtensionError.self) {
          try await host.inWidget(as: identity) { try await $0.setHasContent(false, forWidget: widget) }
        }
        #expect(caught?.code == .permissionDenied, "\(widget)")
        #expect(caught?.details["state"] == "denied")
      }
      #expect(service.records.record(of: Self.widget).hasContent)
    }
  }

  @Test func `is closed to other points`() async throws {
    try await withService { _, host in
      let caught = await #expect(throws: ExtensionError.self) {
        try await host.inWidget(as: .testing(point: .share)) {
          try await $0.setHasContent(false, forWidget: Self.widget)
        }
      }
      #expect(caught?.code == .pointDisallows)
    }
  }

  @Test func `survives, and a record that cannot be read is new`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let records = WidgetRecords(state: folder.state)
    try await records.change("a") { $0.hasContent = false }
    #expect(!WidgetRecords(state: folder.state).record(of: "a").hasContent)
    try File.replace("\(folder.path)/widgets/a.json", with: Array("{\"hasContent\":".utf8))
    #expect(records.record(of: "a") == WidgetRecord())
  }

  @Test func `that a stopped host keeps locked can be shown, and changing it is an error after a while`() async throws {
    try await withStoredService { service, host, folder in
      try await service.records.change(Self.widget) { $0.failures = 1 }
      // Another host that was stopped while it wrote: it never gives the lock back.
      let lock = open("\(folder)/widgets/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(lock) }
      try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
      let caught = await #expect(throws: ExtensionError.self) {
        try await host.inWidget { try await $0.setHasContent(false, forWidget: Self.widget) }
      }
      #expect(caught?.code == .storeFailed && caught?.details["retryable"] == true)
      #expect(service.records.record(of: Self.widget).failures == 1)
    }
  }

  @Test func `is changed by many at once without a loss`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let records = WidgetRecords(state: folder.state)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await records.change("a") { $0.failures += 1 } } }
      try await group.waitForAll()
    }
    #expect(records.record(of: "a").failures == 20)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A widget that asks for another size` {
  @Test func `outside of an update has none`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let service = TodayService(state: folder.state) { _ in nil }
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost(services: [service]).inWidget { try await $0.setLargestAvailableDisplayMode(.expanded) }
    }
    #expect(caught?.code == .invalidRequest)
  }

  @Test(arguments: [0, -1]) func `cannot have less than a line`(height: Int) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let service = TodayService(state: folder.state) { _ in nil }
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost(services: [service]).inWidget { try await $0.setPreferredContentHeight(height) }
    }
    #expect(caught?.code == .invalidParams)
  }

  @Test func `learns why and in which mode it is updated`() async throws {
    let seen = try await TestHost().inWidget { ($0.updateReason, $0.displayMode, $0.maximumSize) }
    #expect(seen == (.visible, .compact, WidgetSize(width: 80, height: 6)))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A view that a widget may not have` {
  @Test(arguments: [("input", "text input"), ("scroll", "scrolls"), ("slider", "does not know")])
  func `is refused by its kind of row`(kind: String, reason: String) async throws {
    let wire: JSONValue = ["rows": [["title": "a"], ["kind": .string(kind)]]]
    let view = try JSONCoding.decode(WidgetView.self, from: wire)
    let caught = await #expect(throws: ExtensionError.self) { try await TestHost().update { _ in .newData(view) } }
    #expect(caught?.code == .protocolViolation)
    #expect(caught?.message.contains("Row 2") == true)
    #expect(caught?.message.contains(reason) == true)
  }

  @Test func `is not one of plain rows`() throws {
    let wire: JSONValue = ["rows": [["title": "a", "kind": "row"], ["title": "b"]]]
    #expect(try JSONCoding.decode(WidgetView.self, from: wire).refusal == nil)
    #expect(throws: DecodingError.self) { try JSONCoding.decode(WidgetView.self, from: ["rows": [["kind": "row"]]]) }
  }
}
