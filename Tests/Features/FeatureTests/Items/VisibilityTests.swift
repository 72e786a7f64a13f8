import JSONRPC
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import Testing

/// To whom attachments show themselves.
@Suite(.timeLimit(.minutes(1)))
struct `The visibility of an attachment` {
  /// One attachment of each kind.
  private static let items = [
    ExtensionItem(
      attachments: [nil, ItemProvider.Visibility.all, .team, .group, .ownProcess].map { visibility in
        var text = ItemProvider.text("x", itemID: visibility.map { "\($0)" } ?? "unsaid")
        text.visibility = visibility
        return text
      })
  ]

  @Test(
    arguments: [
      (nil, ["unsaid", "all"]), ("com.example.other", ["unsaid", "all"]),
      ("com.example.test", ["unsaid", "all", "team", "group"]),
    ] as [(String?, [String])])
  func `holds in both directions`(hostApp: String?, visible: [String]) async throws {
    let requests = RequestService()
    let given = Kept<[String]>()
    let perform: ActionProbe.Perform = { items, _ in
      given.keep(items.flatMap(\.attachments).map(\.itemID))
      return Self.items
    }
    let terms = RequestService.Terms(host: hostApp.map { Request.HostApp(bundleID: $0) })
    let outcome = try await ActionProbe.$performing.withValue(perform) {
      try await TestHost(services: [requests]).withExtension(ActionProbe.self, identity: .testing(point: .action)) {
        try await $0.perform(Self.items, requests: requests, terms: terms)
      }
    }
    guard case .completed(let returned) = outcome else {
      Issue.record("It ended otherwise.")
      return
    }
    #expect(returned.flatMap(\.attachments).map(\.itemID) == visible)
    #expect(given.value == visible)
  }

  @Test(
    arguments: [
      (nil, ["unsaid", "all"]), ("com.example.test", ["unsaid", "all", "team", "group"]),
    ] as [(String?, [String])])
  func `holds for a load by a guessed name as well`(hostApp: String?, visible: [String]) async throws {
    let names = ["unsaid", "all", "team", "group", "ownProcess"]
    let requests = RequestService()
    let items = ItemService(requests: requests, conforms: ==)
    let (loaded, refused) = (Kept<[String]>(), Kept<[JSONValue?]>())
    let perform: ActionProbe.Perform = { _, context in
      var found: [String] = []
      var codes: [JSONValue?] = []
      for name in names + ["offered"] {
        let load = Items.Load(requestID: context.requestID, itemID: name, typeIdentifier: "public.text")
        do throws(ExtensionError) {
          _ = try await context.call(load)
          found.append(name)
        } catch {
          codes.append(error.details["code"])
        }
      }
      loaded.keep(found)
      refused.keep(codes)
      return []
    }
    let terms = RequestService.Terms(host: hostApp.map { Request.HostApp(bundleID: $0) })
    _ = try await ActionProbe.$performing.withValue(perform) {
      try await TestHost(services: [items, requests]).withExtension(
        ActionProbe.self, identity: .testing(point: .action)
      ) { process in
        let source = ItemService.Source(bytes: [0x61], typeIdentifiers: ["public.text"], suggestedName: nil)
        items.offer(Dictionary(uniqueKeysWithValues: (names + ["offered"]).map { ($0, source) }), to: process)
        return try await process.perform(Self.items, requests: requests, terms: terms)
      }
    }
    #expect(loaded.value == visible)
    #expect(refused.value == Array(repeating: .integer(-1000), count: 6 - visible.count))
  }

  @Test func `hides a name that a shown attachment shares`() async throws {
    var hidden = ItemProvider.text("x", itemID: "a")
    hidden.visibility = .ownProcess
    let shared = [ExtensionItem(attachments: [.text("y", itemID: "a"), hidden])]
    let requests = RequestService()
    let items = ItemService(requests: requests, conforms: ==)
    let outcome = Kept<JSONValue?>()
    let perform: ActionProbe.Perform = { _, context in
      let load = Items.Load(requestID: context.requestID, itemID: "a", typeIdentifier: "public.text")
      do throws(ExtensionError) { _ = try await context.call(load) } catch { outcome.keep(error.details["code"]) }
      return []
    }
    _ = try await ActionProbe.$performing.withValue(perform) {
      try await TestHost(services: [items, requests]).withExtension(
        ActionProbe.self, identity: .testing(point: .action)
      ) { process in
        let source = ItemService.Source(bytes: [0x61], typeIdentifiers: ["public.text"], suggestedName: nil)
        items.offer(["a": source], to: process)
        return try await process.perform(shared, requests: requests)
      }
    }
    #expect(outcome.value == .integer(-1000))
  }

  @Test func `is one of four, and nothing else`() {
    for value in [-1, 4] {
      let json: JSONValue = [
        "itemID": "a", "registeredTypeIdentifiers": ["public.text"], "visibility": .integer(Int64(value)),
      ]
      #expect(throws: (any Error).self) { try JSONCoding.decode(ItemProvider.self, from: json) }
    }
  }
}
