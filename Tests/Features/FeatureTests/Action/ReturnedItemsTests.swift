import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The items that an action returns` {
  private static func picture(_ id: String) -> ItemProvider {
    ItemProvider(itemID: id, registeredTypeIdentifiers: ["public.png"])
  }

  /// Types conform to themselves, and to what the table says.
  private static func conforms(_ type: String, _ other: String) -> Bool {
    let parents = ["public.utf8-plain-text": ["public.plain-text", "public.text"], "public.png": ["public.image"]]
    return type == other || parents[type]?.contains(other) == true
  }

  private func returned(
    _ returned: [ExtensionItem], for input: [ExtensionItem] = [], as role: Action.Role?, taking types: [String]? = nil
  ) -> ReturnedItems {
    ReturnedItems(input: input, returned: returned, role: role, acceptableTypes: types, conforms: Self.conforms)
  }

  @Test func `stand for themselves when the action has no role`() {
    let items = [ExtensionItem(title: "new", attachments: [.text("x")])]
    let result = returned(items, for: [ExtensionItem(title: "old")], as: nil)
    #expect(result.items == items)
    #expect(result.warnings.isEmpty)
  }

  @Test func `are dropped when the action is a viewer, with a warning`() {
    let result = returned([ExtensionItem(title: "new")], for: [ExtensionItem(title: "old")], as: .viewer)
    #expect(result.items.isEmpty)
    #expect(result.warnings == ["A viewer returns nothing; 1 item(s) were dropped."])
    #expect(returned([], as: .viewer).warnings.isEmpty)
  }

  @Test func `of an editor take the place of the input by position, their attachments by type`() {
    let input = [
      ExtensionItem(title: "first", attachments: [Self.picture("p"), .text("old", itemID: "t")]),
      ExtensionItem(title: "second", contentText: "stays"),
    ]
    let edited = [ExtensionItem(contentText: "edited", attachments: [.text("new", itemID: "n")])]
    let result = returned(edited, for: input, as: .editor)
    #expect(
      result.items == [
        ExtensionItem(
          title: "first", contentText: "edited", attachments: [Self.picture("p"), .text("new", itemID: "n")]),
        input[1],
      ])
  }

  @Test func `of an editor replace each attachment once, and others are added`() {
    let input = [ExtensionItem(attachments: [.text("1", itemID: "a"), .text("2", itemID: "b")])]
    let texts: [ItemProvider] = [.text("x", itemID: "x"), .text("y", itemID: "y"), .text("z", itemID: "z")]
    let result = returned([ExtensionItem(attachments: texts), ExtensionItem(title: "more")], for: input, as: .editor)
    #expect(result.items == [ExtensionItem(attachments: texts), ExtensionItem(title: "more")])
  }

  @Test(arguments: [nil, Action.Role.editor]) func `of types that the host does not take are dropped, with a warning`(
    role: Action.Role?
  ) {
    let items = [ExtensionItem(attachments: [.text("x", itemID: "t"), Self.picture("p")])]
    let result = returned(items, as: role, taking: ["public.text"])
    #expect(result.items == [ExtensionItem(attachments: [.text("x", itemID: "t")])])
    #expect(
      result.warnings == ["The attachment p of item 1 (public.png) was dropped; taken is public.text."])
  }

  @Test func `for a page's finalize function are always taken`() {
    let items = [ExtensionItem(attachments: [.finalizeArguments(["bold": true])])]
    #expect(returned(items, as: nil, taking: ["public.text"]).items == items)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The results of a page` {
  @Test func `travel as a property list under Apple's key`() throws {
    let provider = ItemProvider.pageResults(["title": "Caves", "links": [1, "two"]])
    #expect(provider.registeredTypeIdentifiers == ["com.apple.property-list"])
    let list = try #require(provider.propertyList)
    #expect(list["NSExtensionJavaScriptPreprocessingResultsKey"]?["title"] == "Caves")
    let items = [ExtensionItem(), ExtensionItem(attachments: [.text("x"), provider])]
    #expect(items.pageResults?["links"] == [1, "two"])
    #expect(items.finalizeArguments == nil)
  }

  @Test(arguments: ["", "[1]", "{", "{\"a\":1,\"a\":2}", "\u{1}"]) func `that cannot be read are none`(text: String) {
    let inline = ItemProvider.Inline(type: PageResults.type, value: text, encoding: "json")
    let provider = ItemProvider(itemID: "p", registeredTypeIdentifiers: [PageResults.type], inline: inline)
    #expect(provider.propertyList == nil)
  }

  @Test func `reach the action, and its arguments come back`() async throws {
    let requests = RequestService()
    let results: JSONObject = ["title": "Caves"]
    let body: ActionProbe.Perform = { items, _ in
      let title = items.pageResults?["title"]?.stringValue ?? "none"
      return [ExtensionItem(attachments: [.finalizeArguments(["heading": .string(title)])])]
    }
    let outcome = try await ActionProbe.$performing.withValue(body) {
      try await TestHost(services: [requests]).withExtension(ActionProbe.self, identity: .testing(point: .action)) {
        let item = ExtensionItem(attachments: [.pageResults(results)])
        return try await $0.perform([item], pageResults: results, requests: requests)
      }
    }
    guard case .completed(let items) = outcome else { throw ExtensionError(.internalError, "\(outcome)") }
    #expect(items.finalizeArguments == ["heading": "Caves"])
  }

  @Test(arguments: [WidgetView(title: "Itinerary"), nil]) func `or any action's view is shown before its end`(
    view: WidgetView?
  ) async throws {
    let requests = RequestService()
    var shown: [WidgetView] = []
    let outcome = try await ActionProbe.$showing.withValue(view) {
      try await TestHost(services: [requests]).withExtension(ActionProbe.self, identity: .testing(point: .actionUI)) {
        try await $0.perform([], requests: requests) { shown.append($0) }
      }
    }
    #expect(outcome == .completed([]))
    #expect(shown == [view].compactMap(\.self))
  }
}
