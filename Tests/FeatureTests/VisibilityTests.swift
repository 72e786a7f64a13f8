import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSONRPC
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

  @Test func `is one of four, and nothing else`() {
    for value in [-1, 4] {
      let json: JSONValue = [
        "itemID": "a", "registeredTypeIdentifiers": ["public.text"], "visibility": .integer(Int64(value)),
      ]
      #expect(throws: (any Error).self) { try JSONCoding.decode(ItemProvider.self, from: json) }
    }
  }
}
