import AppExtensions
import ExtensionHosting
import ExtensionTesting
import JSON
import JSONRPC
import Testing

@testable import HostServices

/// How a request ends, once, and what is left of it afterwards.
@Suite(.timeLimit(.minutes(1)))
struct `The end of a request` {
  private static let identity = Caller.Identity.testing(point: .share)
  private let log = KeptLog()

  private func withPeer<Value: Sendable>(
    _ peer: ScriptedPeer, _ requests: RequestService, _ body: (ExtensionProcess) async throws -> Value
  ) async throws -> Value {
    try await Stage(services: [requests]).withPeer(peer, identity: Self.identity, body)
  }

  private static func complete(_ requestID: String, _ items: [ExtensionItem]? = nil) -> Request.Complete {
    Request.Complete(requestID: requestID, returningItems: items)
  }

  @Test func `is known before anybody waits for it, and to everybody who does`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        #expect(requests.isOpen(id, of: process.caller))
        try await peer.call(Self.complete(id, [ExtensionItem(title: "first")]))
        #expect(!requests.isOpen(id, of: process.caller))
        for _ in 0..<2 {
          let outcome = try await requests.end(of: id, on: process, deadline: .seconds(30))
          #expect(outcome == .completed([ExtensionItem(title: "first")]))
        }
        #expect(try await peer.refusal(of: Self.complete(id)) == .alreadyCompleted)
        #expect(try await peer.refusal(of: Request.Cancel(requestID: id, error: .userCancelled)) == .alreadyCompleted)
      }
    }
  }

  @Test func `is not there for a request that was never begun`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      #expect(!requests.isOpen("r0", of: process.caller))
      let code = try await peer.refusal(of: Self.complete("r0"))
      #expect(code == .requestUnknown)
      let error = await #expect(throws: ExtensionError.self) {
        _ = try await requests.end(of: "r0", on: process, deadline: .seconds(30))
      }
      #expect(error?.code == .requestUnknown && error?.message == "The request r0 is not open.")
    }
  }

  @Test func `is remembered of a request that the extension ended, and of no other`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      let completed = try await requests.withRequest(of: process) { id in
        try await peer.call(Self.complete(id))
        return id
      }
      let cancelled = try await requests.withRequest(of: process) { id in
        try await peer.call(Request.Cancel(requestID: id, error: .userCancelled))
        return id
      }
      let left = try await requests.withRequest(of: process) { $0 }
      #expect(try await peer.refusal(of: Self.complete(completed)) == .alreadyCompleted)
      #expect(try await peer.refusal(of: Self.complete(cancelled)) == .alreadyCompleted)
      #expect(try await peer.refusal(of: Self.complete(left)) == .requestUnknown)
      for id in [completed, cancelled, left] { #expect(!requests.isOpen(id, of: process.caller)) }
      #expect(Set([completed, cancelled, left]).count == 3)
    }
  }

  @Test func `is the caller's who stops waiting`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        let waiting = Task { try await requests.end(of: id, on: process, deadline: .seconds(30)) }
        waiting.cancel()
        await #expect(throws: ExtensionError(.cancelled, "")) { try await waiting.value }
        #expect(!requests.isOpen(id, of: process.caller))
        let code = try await peer.refusal(of: Self.complete(id))
        #expect(code == .alreadyCompleted)
      }
    }
  }

  @Test func `does not come with that of another process`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        let other = ScriptedPeer()
        try await withPeer(other, requests) { second in
          #expect(!requests.isOpen(id, of: second.caller))
          #expect(try await other.refusal(of: Self.complete(id)) == .requestUnknown)
          _ = try await requests.withRequest(of: second) { id in try await other.call(Self.complete(id)) }
        }
        #expect(requests.isOpen(id, of: process.caller))
        try await peer.call(Self.complete(id))
        #expect(try await requests.end(of: id, on: process, deadline: .seconds(30)) == .completed([]))
      }
    }
  }

  @Test func `has the extension's reason when it cancels`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    let failure = Request.Cancel.Failure(domain: "com.example", code: 7, localizedDescription: "Rain.")
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        try await peer.call(Request.Cancel(requestID: id, error: failure))
        #expect(try await requests.end(of: id, on: process, deadline: .seconds(30)) == .cancelled(failure))
      }
      #expect(peer.params(of: Request.Withdraw.method) == [])
    }
  }

  @Test func `by the host tells the extension why`() async throws {
    struct Broken: Error {}
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      await #expect(throws: ExtensionError(.contentFailed, "")) {
        try await requests.withRequest(of: process) { _ in throw ExtensionError(.contentFailed, "No signal.") }
      }
      let reason = try await peer.wait(for: Request.Withdraw.method)["error"]
      #expect(reason?["domain"] == "ExtensionErrorDomain" && reason?["code"] == -32034)
      #expect(reason?["localizedDescription"] == "No signal.")
      await #expect(throws: Broken.self) { try await requests.withRequest(of: process) { _ in throw Broken() } }
    }
    let second = ScriptedPeer()
    try await withPeer(second, requests) { process in
      await #expect(throws: CancellationError.self) {
        try await requests.withRequest(of: process) { _ in throw CancellationError() }
      }
      let reason = try await second.wait(for: Request.Withdraw.method)["error"]
      #expect(reason?["domain"] == "NSCocoaErrorDomain" && reason?["code"] == 3072)
    }
  }

  // MARK: Items

  @Test func `leaves out what does not show itself, and says so in the log`() async throws {
    let peer = ScriptedPeer(["context/beginRequest": { _ in ["accepted": true] }])
    let requests = RequestService(log: log)
    var own = ItemProvider.text("x", itemID: "own")
    own.visibility = .ownProcess
    let items = [ExtensionItem(title: "a", attachments: [own, .text("y", itemID: "shown")])]
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        let visible = try await requests.begin(id, with: items, on: process)
        #expect(visible.flatMap(\.attachments).map(\.itemID) == ["shown"] && visible.first?.attributedTitle == "a")
        #expect(requests.shows("shown", in: id, to: process.caller))
        #expect(!requests.shows("own", in: id, to: process.caller))
        #expect(!requests.shows("shown", in: "r0", to: process.caller))
        #expect(log.lines.isEmpty)
        try await peer.call(Self.complete(id, items))
        let outcome = try await requests.end(of: id, on: process, deadline: .seconds(30))
        #expect(outcome == .completed(visible))
        let line = try #require(log.lines.first)
        #expect(log.lines.count == 1 && line.level == .notice && line.metadata["item.id"] == "own")
        #expect(line.metadata["request.id"] == .string(id))
        #expect(line.metadata["extension.id"] == .string(Self.identity.id))
      }
    }
  }

  @Test func `leaves out no attachment whose name only looks like that of one that is hidden`() async throws {
    let peer = ScriptedPeer(["context/beginRequest": { _ in ["accepted": true] }])
    let requests = RequestService()
    var own = ItemProvider.text("x", itemID: "e\u{301}")
    own.visibility = .ownProcess
    let items = [ExtensionItem(attachments: [own, .text("y", itemID: "\u{E9}")])]
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        try await requests.begin(id, with: items, on: process)
        #expect(requests.shows("\u{E9}", in: id, to: process.caller))
        #expect(!requests.shows("e\u{301}", in: id, to: process.caller))
      }
    }
  }

  @Test func `comes at once when the extension does not accept the items`() async throws {
    let peer = ScriptedPeer(["context/beginRequest": { _ in ["accepted": false] }])
    let requests = RequestService()
    let kept = Kept<String>()
    try await withPeer(peer, requests) { process in
      let error = await #expect(throws: ExtensionError.self) {
        try await requests.withRequest(of: process) { id in
          kept.keep(id)
          try await requests.begin(id, with: [ExtensionItem(attachments: [.text("y", itemID: "t")])], on: process)
          Issue.record("It was accepted.")
        }
      }
      #expect(error?.code == .handlerFailed && error?.recovery == "Pass something else.")
      let id = try #require(kept.value)
      #expect(!requests.shows("t", in: id, to: process.caller))
      #expect(try await peer.wait(for: Request.Withdraw.method)["requestID"] == .string(id))
    }
  }
}
