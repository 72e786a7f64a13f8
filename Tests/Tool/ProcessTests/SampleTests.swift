import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A sample` {
  @Test func `in Swift counts its visits in the group store`() async throws {
    let stage = try Stage()
    #expect(try await stage.update("com.example.adventures.visits") == .newData("Visit 1"))
    #expect(try await stage.update("com.example.adventures.visits") == .newData("Visit 2"))
    let (values, revision) = try await stage.store.all(in: "group.com.example.adventures")
    #expect(values == ["visits": .integer(2)])
    #expect(revision == 2)
  }

  @Test(arguments: ["com.example.adventures.visits", "com.example.adventures.clock"])
  func `loses no count when six hosts run it at once`(_ id: String) async throws {
    let tool = try HostTool()
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<6 { group.addTask { try await tool("today", id).status } }
      for try await status in group { #expect(status == 0) }
    }
    let key = id.hasSuffix("visits") ? "visits" : "clock.visits"
    let counted = try await tool("defaults", "read", "group.com.example.adventures", key)
    #expect(counted.stdout == "6\n", "\(counted)")
  }

  @Test(.enabled(if: Script.isAvailable)) func `in Python is a widget like any other`() async throws {
    let stage = try Stage()
    let result = try await stage.update("com.example.adventures.clock")
    #expect(result.result == .newData)
    #expect(result.view?.title == "Clock")
    #expect(result.view?.text?.hasSuffix("visit 1") == true)
  }

  @Test func `with Content-Length headers is a widget like any other`() async throws {
    let result = try await Stage().update("com.example.fixtures.lengthy")
    #expect(result.view == WidgetView(title: "Lengthy", text: "two\nlines"))
  }

  @Test func `shows the content that the host fetches`() async throws {
    let result = try await Stage().update("com.example.adventures.today")
    let row = try #require(result.view?.rows.first)
    #expect(row.title == "Lantern Caves")
    #expect(row.value == "$12.50")
    #expect(row.url == "adventures://adventure/caves")
  }

  @Test func `shares into the group store`() async throws {
    let stage = try Stage()
    let outcome = try await stage.share("com.example.adventures.share", "See you there")
    guard case .completed(let items) = outcome else { throw UnexpectedSuccess(result: "\(outcome)") }
    #expect(items.map(\.attributedContentText) == ["See you there"])
    let values = try await stage.store.all(in: "group.com.example.adventures").0
    let stored = values.values.compactMap { if case .dictionary(let entry) = $0 { entry["text"] } else { nil } }
    #expect(stored == [.string("See you there")])
  }

  @Test func `refuses a post that is too long`() async throws {
    let stage = try Stage()
    await #expect(throws: ExtensionError(.contentInvalid, "")) {
      _ = try await stage.share("com.example.adventures.share", String(repeating: "x", count: 281))
    }
  }

  @Test func `digests a text that is too large to travel inline`() async throws {
    let stage = try Stage()
    let text = Array("Begin here. \(String(repeating: "word ", count: 20_000))".utf8)
    let types = ["public.utf8-plain-text", "public.plain-text"]
    let item = ExtensionItem(attachments: [ItemProvider(itemID: "a1", registeredTypeIdentifiers: types)])
    let source = ItemService.Source(bytes: text, typeIdentifiers: types, suggestedName: nil)
    let outcome = try await stage.host.withExtension("com.example.adventures.digest") { digest in
      stage.items.offer(["a1": source], to: digest)
      return try await digest.perform([item], requests: stage.requests)
    }
    guard case .completed(let items) = outcome else { throw UnexpectedSuccess(result: "\(outcome)") }
    #expect(items.first?.attachments.first?.inline?.value == "Begin here. (20002 words)")
  }
}
