import JSON
import AppExtensions
import ExtensionHosting
import HostServices
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A Today widget` {
  let host = TestHost()

  private static let results: [UpdateResult] = [
    .newData("Visit 42"),
    .newData(
      WidgetView(title: "Adventures", rows: [.init(title: "Caves", subtitle: "two days", value: "$5", url: "a://b")])),
    .newData(WidgetView()),
    .noData,
    .failed,
  ]

  @Test(arguments: results)
  func `says what its update came to`(result: UpdateResult) async throws {
    #expect(try await host.update { _ in result } == result)
  }

  @Test func `is asked for its display mode and under a request of its own`() async throws {
    let (first, second) = try await (host.inWidget { $0.requestID }, host.inWidget { $0.requestID })
    #expect(!first.isEmpty)
    #expect(first != second)
  }

  @Test func `learns at the handshake who it is and where its files lie`() async throws {
    let host = try #require(try await host.inWidget { $0.host })
    #expect(host.extension.id == "com.example.test.extension")
    #expect(host.extension.point == .today)
    #expect(host.extension.containingApp == "com.example.test")
    #expect(host.directories.scratch.hasPrefix("/"))
  }

  @Test func `throws to the host what it throws, whole`() async throws {
    let thrown = ExtensionError(
      .contentFailed, "The publisher sleeps.", recovery: "Wake it.", details: ["status": 503], cause: ["A timeout."])
    let caught = await #expect(throws: ExtensionError.self) { try await host.update { _ in throw thrown } }
    #expect(caught?.code == .contentFailed)
    #expect(caught?.message == "The publisher sleeps.")
    #expect(caught?.recovery == "Wake it.")
    #expect(caught?.details["status"] == 503)
    #expect(caught?.cause == ["A timeout."])
  }

  @Test func `that throws an error of its own fails as a handler`() async throws {
    struct Broken: Error, CustomStringConvertible { let description = "The clock has stopped." }
    let caught = await #expect(throws: ExtensionError.self) { try await host.update { _ in throw Broken() } }
    #expect(caught?.code == .handlerFailed)
    #expect(caught?.message.contains("The clock has stopped.") == true)
  }

  @Test func `that takes too long is given up, and its task is cancelled`() async throws {
    let cancelled = Kept<Bool>()
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.update(deadline: .milliseconds(20)) { _ in
        await waitForever()
        cancelled.keep(Task.isCancelled)
        return .noData
      }
    }
    #expect(caught?.code == .deadlineExceeded)
    #expect(cancelled.value == true)
  }

  @Test func `is not asked what belongs to other points`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.withExtension(WidgetProbe.self) {
        _ = try await $0.call(Share.DidSelectPost(requestID: "r", contentText: ""))
      }
    }
    #expect(caught?.code == .pointDisallows)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A view of a widget` {
  @Test func `may be a text alone on the wire`() throws {
    let result = try JSONCoding.decode(UpdateResult.self, from: ["result": "newData", "view": "Visit 1"])
    #expect(result == .newData("Visit 1"))
  }

  @Test func `needs none of its members`() throws {
    let result = try JSONCoding.decode(UpdateResult.self, from: ["result": "newData", "view": [:]])
    #expect(result == .newData(WidgetView()))
  }

  @Test(
    arguments: [["result": "perhaps"], ["view": "x"], ["result": "newData", "view": ["rows": [["value": "1"]]]]]
      as [JSONValue])
  func `is refused when it is another shape`(wire: JSONValue) {
    #expect(throws: DecodingError.self) { try JSONCoding.decode(UpdateResult.self, from: wire) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A store of snapshots` {
  @Test func `keeps the last view of each widget`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let store = SnapshotStore(state: folder.state)
    #expect(store.snapshot(of: "a") == nil)
    try await store.store(.init(view: "one", updatedAt: 1), of: "a")
    try await store.store(.init(view: "two", updatedAt: 2.5), of: "a")
    #expect(SnapshotStore(state: folder.state).snapshot(of: "a") == .init(view: "two", updatedAt: 2.5))
    #expect(store.snapshot(of: "b") == nil)
  }
}
