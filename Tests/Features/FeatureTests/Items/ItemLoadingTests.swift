import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An attachment that is loaded` {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]

  private static func conforms(_ type: String, _ other: String) -> Bool {
    let parents = [
      "public.utf8-plain-text": ["public.plain-text", "public.text", "public.data"],
      "public.plain-text": ["public.text", "public.data"], "public.png": ["public.image", "public.data"],
      "public.file-url": ["public.url", "public.data"], "public.url": ["public.data"],
    ]
    return type == other || parents[type]?.contains(other) ?? false
  }

  private static let sources: [String: ItemService.Source] = [
    "text": .init(
      bytes: Array("Grüße".utf8), typeIdentifiers: ["public.utf8-plain-text", "PUBLIC.utf8-plain-text", "public.png"],
      suggestedName: "note.txt"),
    "bytes": .init(bytes: png, typeIdentifiers: ["public.data"], suggestedName: nil),
    "broken": .init(bytes: [0xFF, 0xFE], typeIdentifiers: ["public.plain-text"], suggestedName: nil),
    "file": .init(typeIdentifiers: ["public.file-url"], suggestedName: nil) { type, _ in
      conforms(type, "public.url") ? Array("file:///tmp/a.png".utf8) : png
    },
    "wish": .init(typeIdentifiers: ["public.png"], suggestedName: nil) { _, options in
      png + [UInt8](repeating: 7, count: Int(options?.preferredImageSize?.width ?? 0))
    },
    "drawn": .init(
      typeIdentifiers: ["public.plain-text"], suggestedName: nil,
      preview: { _, options in png + [UInt8](repeating: 1, count: Int(options?.preferredImageSize?.height ?? 0)) },
      load: { _, _ in [0x41] }),
    "misdrawn": .init(
      typeIdentifiers: ["public.plain-text"], suggestedName: nil, preview: { _, _ in [1, 2] }, load: { _, _ in [0x41] }),
    "sorry": .init(typeIdentifiers: ["public.png"], suggestedName: nil) { _, _ in throw Sorry() },
  ]

  private struct Sorry: Error {}

  let items = ItemService { Self.conforms($0, $1) }

  private func provider(_ itemID: String) -> ItemProvider {
    ItemProvider(itemID: itemID, registeredTypeIdentifiers: ["public.data"])
  }

  private func inWidget<Value: Sendable>(
    _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> Value {
    let host = TestHost(services: [items, TypeService { Self.conforms($0, $1) }])
    return try await host.inWidget(preparing: { items.offer(Self.sources, to: $0) }, body)
  }

  @Test(arguments: [("text", "public.text", true), ("text", "public.url", false), ("wish", "public.image", true)])
  func `says what it can be loaded in`(itemID: String, type: String, value: Bool) async throws {
    let provider = provider(itemID)
    #expect(try await inWidget { try await provider.hasItemConforming(to: type, in: $0) } == value)
  }

  @Test func `comes in the first registered type that conforms, small values inline`() async throws {
    let answer = try await inWidget { context in
      try await context.call(
        Items.Load(requestID: context.requestID, itemID: "text", typeIdentifier: "public.data"))
    }
    #expect(answer.typeIdentifier == "public.utf8-plain-text" && answer.path == nil)
    #expect(answer.inline?.value == "Grüße" && answer.suggestedName == "note.txt")
  }

  @Test func `is a copy as a file, and one when it is wanted in place`() async throws {
    let provider = provider("bytes")
    let (bytes, inPlace) = try await inWidget { context in
      let bytes = try await provider.loadFile(for: "public.data", in: context) { path in
        #expect(path.hasPrefix("/"))
        return try await provider.loadData(for: "public.data", in: context)
      }
      let load = Items.Load(
        requestID: context.requestID, itemID: "bytes", typeIdentifier: "public.data", representation: .inPlace)
      return (bytes, try await context.call(load))
    }
    #expect(bytes == Self.png)
    #expect(inPlace.isInPlace == false && inPlace.path != nil && inPlace.inline == nil)
  }

  @Test(arguments: [("drawn", 13), ("wish", 11)])
  func `has a picture to show, its own or one that was made for it`(itemID: String, count: Int) async throws {
    let provider = provider(itemID)
    let found = try await inWidget { context in
      let size = Items.Options.Size(width: 1, height: 3)
      let (type, bytes) = try await provider.loadPreviewImage(in: context, preferredImageSize: size)
      return [type, "\(bytes.count)"]
    }
    #expect(found == ["public.png", "\(count)"])
  }

  @Test(arguments: [("bytes", ItemProviderError.unavailableCoercion), ("misdrawn", .unexpectedValueClass)])
  func `without a picture to show says so`(itemID: String, expected: ItemProviderError) async throws {
    let provider = provider(itemID)
    let caught = await #expect(throws: ExtensionError.self) {
      _ = try await inWidget { context in try await provider.loadPreviewImage(in: context).bytes }
    }
    #expect(caught?.details["code"] == .integer(expected.rawValue))
  }

  @Test func `is turned into a picture when its bytes, or its file's, are one`() async throws {
    for itemID in ["bytes", "file"] {
      let provider = provider(itemID)
      let found = try await inWidget { context in
        let (type, bytes) = try await provider.loadItem(for: "public.image", in: context)
        return [type, "\(bytes.count)"]
      }
      #expect(found == ["public.png", "10"])
    }
  }

  @Test func `is told of the wish for a size`() async throws {
    let provider = provider("wish")
    let count = try await inWidget { context in
      try await provider.loadItem(
        for: "public.image", in: context, preferredImageSize: .init(width: 5, height: 5)
      ).bytes.count
    }
    #expect(count == Self.png.count + 5)
  }

  @Test(
    arguments: [
      ("text", "public.movie", -1200), ("broken", "public.text", -1100), ("sorry", "public.image", -1),
      ("none", "public.data", -1000), ("text", "public.tiff", -1200),
    ])
  func `fails with the codes of item providers`(itemID: String, type: String, code: Int64) async throws {
    let provider = provider(itemID)
    let error = await #expect(throws: ExtensionError.self) {
      try await inWidget { _ = try await provider.loadItem(for: type, in: $0) }
    }
    #expect(error?.code == .framework && error?.details["code"] == .integer(code))
    #expect(error?.details["domain"] == "NSItemProviderErrorDomain")
  }

  @Test func `belongs to a request that is open`() async throws {
    let requests = RequestService()
    let items = ItemService(requests: requests) { Self.conforms($0, $1) }
    let outcome = Kept<ExtensionError?>()
    let perform: @Sendable ([ExtensionItem], ExtensionContext) async throws -> [ExtensionItem] = { items, context in
      let load = Items.Load(requestID: context.requestID, itemID: "text", typeIdentifier: "public.text")
      _ = try await context.call(load)
      let other = Items.Load(requestID: "r0", itemID: "text", typeIdentifier: "public.text")
      do { _ = try await context.call(other) } catch let error as ExtensionError { outcome.keep(error) }
      return items
    }
    _ = try await ActionProbe.$performing.withValue(perform) {
      try await TestHost(services: [items, requests]).withExtension(
        ActionProbe.self, identity: .testing(point: .action)
      ) { process in
        items.offer(Self.sources, to: process)
        return try await process.perform([ExtensionItem(attachments: [provider("text")])], requests: requests)
      }
    }
    #expect(outcome.value??.code == .requestUnknown)
  }

  @Test(arguments: [10, 100 << 10])
  func `can be returned without its value, which the host asks for`(count: Int) async throws {
    let requests = RequestService()
    let perform: @Sendable ([ExtensionItem], ExtensionContext) async throws -> [ExtensionItem] = { _, context in
      let late = context.attachment(types: ["public.png", "public.data"]) { type in
        Array(type.utf8) + [UInt8](repeating: 0xFF, count: count)
      }
      return [ExtensionItem(attachments: [late])]
    }
    let bytes = try await ActionProbe.$performing.withValue(perform) {
      try await TestHost(services: [requests]).withExtension(ActionProbe.self, identity: .testing(point: .action)) {
        process in
        let outcome = try await process.perform([], requests: requests)
        guard case .completed(let items) = outcome else { return [UInt8]() }
        return try await process.bytes(of: items[0].attachments[0], requestID: "r1")
      }
    }
    #expect(bytes == Array("public.png".utf8) + [UInt8](repeating: 0xFF, count: count))
  }

  @Test(arguments: [("public.png", "public.image", true), ("public.image", "public.png", false)])
  func `has types that everybody may ask about`(type: String, other: String, value: Bool) async throws {
    #expect(try await inWidget { try await $0.type(type, conformsTo: other) } == value)
  }
}
