import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Testing

/// Which attachments travel inline, and in which form.
@Suite(.timeLimit(.minutes(1)))
struct `The way of an attachment` {
  private struct Sorry: Error {}

  private static let limit = ItemProvider.inlineLimit

  private static func source(_ count: Int) -> ItemService.Source {
    ItemService.Source(
      bytes: [UInt8](repeating: 0x61, count: count), typeIdentifiers: ["public.text"], suggestedName: nil)
  }

  private static let sources: [String: ItemService.Source] = [
    "below": source(limit - 1), "at": source(limit), "empty": source(0),
    "bytes": .init(bytes: [0x61, 0xFF], typeIdentifiers: ["public.text"], suggestedName: "b.bin"),
    "cancelled": .init(typeIdentifiers: ["public.text"], suggestedName: nil) { _, _ in throw CancellationError() },
    "refused": .init(typeIdentifiers: ["public.text"], suggestedName: nil) { _, _ in
      throw ExtensionError(.limitExceeded, "Too much.")
    },
    "sorry": .init(typeIdentifiers: ["public.text"], suggestedName: nil) { _, _ in throw Sorry() },
  ]

  private let items = ItemService(conforms: ==)

  private func withPeer<Value: Sendable>(
    _ body: (ScriptedPeer, ExtensionProcess) async throws -> Value
  ) async throws -> Value {
    let peer = ScriptedPeer()
    var stage = Stage(services: [items])
    stage.hasScratch = true
    return try await stage.withPeer(peer) { process in
      items.offer(Self.sources, to: process)
      return try await body(peer, process)
    }
  }

  private static func load(_ itemID: String, _ representation: Items.Representation? = nil) -> Items.Load {
    Items.Load(requestID: "r", itemID: itemID, typeIdentifier: "public.text", representation: representation)
  }

  @Test(
    arguments: [
      ("below", nil, true), ("at", nil, false), ("empty", nil, true), ("below", .data, true), ("at", .data, false),
      ("below", .item, true), ("at", .item, false), ("empty", .file, false), ("empty", .inPlace, false),
    ] as [(String, Items.Representation?, Bool)])
  func `is inline below a size, where it need not be a file`(
    itemID: String, representation: Items.Representation?, isInline: Bool
  ) async throws {
    let answer = try await withPeer { peer, _ in try await peer.call(Self.load(itemID, representation)) }
    #expect((answer.inline != nil) == isInline && (answer.path == nil) == isInline)
    let count = itemID == "empty" ? 0 : Self.limit - 1
    #expect(answer.inline?.value.utf8.count == (isInline ? count : nil))
    #expect(answer.isInPlace == (representation == .inPlace ? false : nil))
    #expect(answer.typeIdentifier == "public.text" && answer.suggestedName == nil)
  }

  @Test func `is text where it can be, and base64 where not`() async throws {
    try await withPeer { peer, _ in
      let text = try await peer.call(Self.load("below")).inline
      #expect(text?.encoding == nil && text?.type == "public.text")
      let bytes = try await peer.call(Self.load("bytes"))
      #expect(bytes.inline == .init(type: "public.text", value: "Yf8=", encoding: "base64"))
      #expect(bytes.suggestedName == "b.bin")
    }
  }

  @Test(arguments: [("cancelled", ExtensionError.Code.cancelled), ("refused", .limitExceeded), ("sorry", .framework)])
  func `ends with what its maker throws`(itemID: String, code: ExtensionError.Code) async throws {
    let found = try await withPeer { peer, _ in try await peer.refusal(of: Self.load(itemID)) }
    #expect(found == code)
  }

  @Test func `is unknown under another name`() async throws {
    try await withPeer { peer, _ in
      let ask = { Items.HasConforming(requestID: "r", itemID: $0, typeIdentifier: "public.text") }
      let answer = try await peer.call(ask("empty"))
      #expect(answer.value)
      #expect(try await peer.refusal(of: ask("none")) == .framework)
    }
  }

  @Test func `is told from another by the bytes of its name`() async throws {
    try await withPeer { peer, process in
      items.offer(["\u{E9}": Self.source(1)], to: process)
      items.offer(["e\u{301}": Self.source(2)], to: process)
      let one = try await peer.call(Self.load("\u{E9}"))
      let other = try await peer.call(Self.load("e\u{301}"))
      #expect(one.inline?.value == "a" && other.inline?.value == "aa")
    }
  }

  @Test func `stays with its process when others are offered, or another process ends`() async throws {
    try await withPeer { peer, process in
      items.offer(["more": Self.source(1), "empty": Self.source(2)], to: process)
      let code = try await withPeer { other, _ in try await other.refusal(of: Self.load("more")) }
      #expect(code == .framework)
      #expect(try await peer.call(Self.load("more")).inline?.value == "a")
      #expect(try await peer.call(Self.load("empty")).inline?.value == "aa")
      #expect(try await peer.call(Self.load("bytes")).inline?.value == "Yf8=")
    }
  }
}

/// What the host takes of an attachment that an extension returned.
@Suite(.timeLimit(.minutes(1)))
struct `A returned attachment` {
  private func bytes(
    _ answer: JSONValue, of attachment: ItemProvider, as type: String? = nil, limit: Int = 64 << 20
  ) async throws -> (bytes: [UInt8]?, error: ExtensionError?, asked: [JSONValue?]) {
    let peer = ScriptedPeer(["item/provide": { _ in answer }])
    return try await Stage().withPeer(peer, identity: .testing(point: .action)) { process in
      do throws(ExtensionError) {
        let bytes = try await process.bytes(of: attachment, requestID: "r", as: type, limit: limit)
        return (bytes, nil, peer.params(of: "item/provide").map { $0["typeIdentifier"] })
      } catch {
        return (nil, error, peer.params(of: "item/provide").map { $0["typeIdentifier"] })
      }
    }
  }

  private static let plain = ItemProvider(itemID: "a", registeredTypeIdentifiers: ["public.png", "public.data"])

  @Test(
    arguments: [
      (["kind": "text", "typeIdentifier": "t", "value": "YWI="], "YWI="),
      (["kind": "url", "typeIdentifier": "t", "value": "YWI="], "YWI="),
      (["kind": "data", "typeIdentifier": "t", "value": "YWI="], "ab"),
      (["kind": "plist", "typeIdentifier": "t", "value": "YWI="], "ab"),
      (["kind": "file", "typeIdentifier": "t", "value": "YWI="], "YWI="),
      (["kind": "text", "typeIdentifier": "t", "value": "é", "path": "none"], "é"),
    ] as [(JSONValue, String)])
  func `is read in the form that its kind says`(answer: JSONValue, text: String) async throws {
    let found = try await bytes(answer, of: Self.plain)
    #expect(found.bytes == Array(text.utf8) && found.asked == ["public.png"])
  }

  @Test(arguments: ["file", "data", "text"]) func `has to be a value or a file`(kind: String) async throws {
    let found = try await bytes(["kind": .string(kind), "typeIdentifier": "t"], of: Self.plain)
    #expect(found.error?.code == .protocolViolation)
    #expect(found.error?.message.contains("It provided neither a value nor a file.") == true)
  }

  @Test func `has to be base64 where its kind says so`() async throws {
    let wrong: JSONValue = ["kind": "data", "typeIdentifier": "t", "value": "no base64!"]
    #expect(try await bytes(wrong, of: Self.plain).error?.code == .protocolViolation)
    var inline = Self.plain
    inline.inline = .init(type: "public.png", value: "no base64!", encoding: "base64")
    let found = try await bytes(wrong, of: inline)
    #expect(found.error?.message.contains("is not base64") == true && found.asked == [])
  }

  @Test func `is taken inline when its type is the one that is wanted`() async throws {
    let answer: JSONValue = ["kind": "text", "typeIdentifier": "t", "value": "asked"]
    var inline = Self.plain
    inline.inline = .init(type: "public.png", value: "inline")
    let (own, same) = (try await bytes(answer, of: inline), try await bytes(answer, of: inline, as: "public.png"))
    #expect(own.bytes == Array("inline".utf8) && own.asked == [])
    #expect(same.bytes == Array("inline".utf8) && same.asked == [])
    let other = try await bytes(answer, of: inline, as: "public.data")
    #expect(other.bytes == Array("asked".utf8) && other.asked == ["public.data"])
    let bare = ItemProvider(itemID: "a", registeredTypeIdentifiers: [])
    #expect(try await bytes(answer, of: bare).asked == ["public.data"])
  }

  @Test func `has at most as many bytes as the host takes`() async throws {
    let answer: JSONValue = ["kind": "text", "typeIdentifier": "t", "value": "é\u{301}"]
    #expect(try await bytes(answer, of: Self.plain, limit: 4).bytes == Array("é\u{301}".utf8))
    let found = try await bytes(answer, of: Self.plain, limit: 3)
    #expect(found.error?.code == .limitExceeded && found.error?.details["limit"] == 3)
    #expect(found.error?.message == "An attachment has 4 bytes; at most 3 are taken.")
    var inline = Self.plain
    inline.inline = .init(type: "public.png", value: "YWI=", encoding: "base64")
    #expect(try await bytes(answer, of: inline, limit: 2).bytes == Array("ab".utf8))
    #expect(try await bytes(answer, of: inline, limit: 1).error?.code == .limitExceeded)
  }
}
