import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Testing

/// What the host makes of an action's answer and of its items.
@Suite(.timeLimit(.minutes(1)))
struct `The outcome of an action` {
  private let requests = RequestService()

  private func perform(
    _ peer: ScriptedPeer, _ items: [ExtensionItem] = [], pageResults: JSONObject? = nil,
    collect: ([ExtensionItem], String) async throws -> [ExtensionItem] = { items, _ in items }
  ) async throws -> (outcome: RequestService.Outcome?, shown: [WidgetView], error: ExtensionError?) {
    try await Stage(services: [requests]).withPeer(peer, identity: .testing(point: .action)) { process in
      var shown: [WidgetView] = []
      do {
        let outcome = try await process.perform(
          items, pageResults: pageResults, requests: requests, deadline: .seconds(30), show: { shown.append($0) },
          collect: collect)
        return (outcome, shown, nil)
      } catch {
        return (nil, shown, ExtensionError(wrapping: error))
      }
    }
  }

  /// A peer that ends its request before it answers.
  private func peer(
    view: JSONValue = .null, _ end: @escaping @Sendable (ScriptedPeer, String) async throws -> Void
  ) -> ScriptedPeer {
    let own = Kept<ScriptedPeer>()
    let peer = ScriptedPeer([
      "context/beginRequest": { _ in ["accepted": true] },
      "action/perform": { params in
        if let peer = own.value { try await end(peer, params["requestID"]?.stringValue ?? "") }
        return ["view": view]
      },
    ])
    own.keep(peer)
    return peer
  }

  private static let complete: @Sendable (ScriptedPeer, String) async throws -> Void = { peer, id in
    try await peer.call(Request.Complete(requestID: id, returningItems: [ExtensionItem(title: "returned")]))
  }

  @Test func `is what the host collects of the returned items`() async throws {
    var collected: [String] = []
    let peer = peer(Self.complete)
    let result = try await perform(peer) { items, id in
      collected = items.map { $0.attributedTitle ?? "" } + [id]
      return [ExtensionItem(title: "collected")]
    }
    #expect(result.outcome == .completed([ExtensionItem(title: "collected")]) && result.shown == [])
    let id = try #require(peer.params(of: Action.Perform.method).first?["requestID"]?.stringValue)
    #expect(collected == ["returned", id])
  }

  @Test func `is a failure when collecting is one`() async throws {
    let result = try await perform(peer(Self.complete)) { _, _ in throw ExtensionError(.limitExceeded, "Too much.") }
    #expect(result.error?.code == .limitExceeded && result.outcome == nil)
  }

  @Test func `has nothing to collect when the action cancels`() async throws {
    let peer = peer { peer, id in try await peer.call(Request.Cancel(requestID: id, error: .userCancelled)) }
    let result = try await perform(peer) { items, _ in
      Issue.record("There is nothing.")
      return items
    }
    #expect(result.outcome == .cancelled(.userCancelled))
  }

  @Test func `is a failure when the view is none that may be shown`() async throws {
    let result = try await perform(peer(view: ["rows": [["kind": "input"]]], Self.complete))
    #expect(result.error?.code == .protocolViolation && result.shown == [])
    #expect(result.error?.message.contains("answered action/perform wrongly") == true)
    #expect(result.error?.recovery == "Show titles, texts and rows; take input in the containing app.")
  }

  @Test func `comes of the items and the page that the action was given`() async throws {
    var own = ItemProvider.text("x", itemID: "own")
    own.visibility = .ownProcess
    let peer = peer(view: "Hi", Self.complete)
    let result = try await perform(
      peer, [ExtensionItem(attachments: [own, .text("y", itemID: "shown")])], pageResults: ["title": "Caves"])
    #expect(result.shown == [WidgetView(text: "Hi")])
    let params = try #require(peer.params(of: Action.Perform.method).first)
    #expect(params["pageResults"] == ["title": "Caves"])
    let items = try JSONCoding.decode([ExtensionItem].self, from: try #require(params["inputItems"]))
    #expect(items.flatMap(\.attachments).map(\.itemID) == ["shown"])
  }
}
