import JSONRPC
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An attachment` {
  private static let kept = ItemService.Source(
    bytes: Array(repeating: 0x61, count: 100 << 10), typeIdentifiers: ["public.utf8-plain-text", "public.plain-text"],
    suggestedName: "long.txt")

  let items = ItemService { type, other in
    type == other || other == "public.data" || (other == "public.text" && type.hasSuffix("plain-text"))
  }

  /// Offers one attachment to a widget and runs a closure in it.
  private func inWidget<Value: Sendable>(
    _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> Value {
    try await TestHost(services: [items]).inWidget(preparing: { items.offer(["a1": Self.kept], to: $0) }, body)
  }

  @Test func `that is small travels with its item`() async throws {
    let (text, url, bytes) = try await TestHost().inWidget { context in
      let image = ItemProvider(
        itemID: "i", registeredTypeIdentifiers: ["public.png"],
        inline: .init(type: "public.png", value: "iVBORw==", encoding: "base64"))
      return (
        try await context.text(of: .text("See you there")), try await context.text(of: .url("https://example.com")),
        try await context.data(of: image)
      )
    }
    #expect(text == "See you there")
    #expect(url == "https://example.com")
    #expect(bytes == [0x89, 0x50, 0x4E, 0x47])
  }

  @Test func `that registers a type twice has it once, at its first place, also from the wire`() throws {
    let json: JSONValue = [
      "itemID": "a", "visibility": 1, "suggestedName": "n", "estimatedSize": 3,
      "registeredTypeIdentifiers": ["public.png", "public.image", "Public.PNG", "public.data", "public.image"],
      "inline": ["type": "public.png", "value": "x"],
    ]
    var same = ItemProvider(
      itemID: "a", registeredTypeIdentifiers: ["public.png", "public.image", "public.png", "public.data"],
      suggestedName: "n", inline: .init(type: "public.png", value: "x"), estimatedSize: 3)
    same.visibility = .team
    let decoded = try JSONCoding.decode(ItemProvider.self, from: json)
    #expect(decoded.registeredTypeIdentifiers == ["public.png", "public.image", "public.data"])
    #expect(decoded == same)
  }

  @Test func `that is large is loaded from the scratch directory`() async throws {
    let provider = ItemProvider(itemID: "a1", registeredTypeIdentifiers: ["public.plain-text"])
    let (answer, text) = try await inWidget { context in
      let answer = try await context.call(
        Items.Load(requestID: context.requestID, itemID: "a1", typeIdentifier: "public.text"))
      return (answer, try await context.text(of: provider))
    }
    #expect(text.utf8.count == 100 << 10)
    #expect(text.utf8.allSatisfy { $0 == 0x61 })
    #expect(answer.typeIdentifier == "public.utf8-plain-text")
    #expect(answer.suggestedName == "long.txt")
    let path = try #require(answer.path)
    #expect(!path.hasPrefix("/") && !path.contains(".."))
  }

  @Test func `can be loaded twice`() async throws {
    let provider = ItemProvider(itemID: "a1", registeredTypeIdentifiers: ["public.plain-text"])
    let (first, second) = try await inWidget { (try await $0.data(of: provider), try await $0.data(of: provider)) }
    #expect(first == second)
  }

  @Test(arguments: [("a2", "public.text", -1000), ("a1", "public.image", -1200)])
  func `that is not there, or not in that type, is an error of the item provider`(
    itemID: String, type: String, code: Int64
  ) async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await inWidget { context in
        _ = try await context.call(Items.Load(requestID: context.requestID, itemID: itemID, typeIdentifier: type))
      }
    }
    #expect(caught?.code == .framework)
    #expect(caught?.details["domain"] == "NSItemProviderErrorDomain")
    #expect(caught?.details["code"] == .integer(code))
  }

  @Test func `of another process is not there`() async throws {
    let items = items
    let caught = await #expect(throws: ExtensionError.self) {
      try await inWidget { context in
        // Another process of the same extension, at the same service.
        try await TestHost(services: [items]).inWidget {
          _ = try await $0.call(Items.Load(requestID: $0.requestID, itemID: "a1", typeIdentifier: "public.text"))
        }
      }
    }
    #expect(caught?.details["code"] == -1000)
  }

  @Test func `with a damaged inline value is refused`() async throws {
    let provider = ItemProvider(
      itemID: "i", registeredTypeIdentifiers: ["public.png"],
      inline: .init(type: "public.png", value: "not base64!", encoding: "base64"))
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost().inWidget { try await $0.data(of: provider) }
    }
    #expect(caught?.code == .invalidParams)
  }
}
