import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Synchronization
import Testing

/// What a sheet does with what the extension answers, and with what it says by itself.
@Suite(.timeLimit(.minutes(1)))
struct `A sheet and its extension` {
  private static let identity = Caller.Identity.testing(point: .share)
  private let requests = RequestService()
  private let service = ShareService()

  /// A peer that takes each text and begins each request, beside what a test says.
  private func peer(_ answers: [String: ScriptedPeer.Answer] = [:]) -> ScriptedPeer {
    let usual: [String: ScriptedPeer.Answer] = [
      "context/beginRequest": { _ in ["accepted": true] }, "share/validateContent": { _ in ["isValid": true] },
      "share/presentation": { _ in ["contentText": "Hello"] },
    ]
    return ScriptedPeer(usual.merging(answers) { $1 })
  }

  private func compose<Value: Sendable>(
    _ peer: ScriptedPeer, _ body: (ShareSheet) async throws -> Value
  ) async throws -> Value {
    try await Stage(services: [requests, service]).withPeer(peer, identity: Self.identity) { process in
      try await process.compose([], requests: requests, service: service, body)
    }
  }

  @Test(
    arguments: [
      (-3, " It is 3 characters too long."), (-1, " It is 1 characters too long."), (0, ""), (4, ""), (nil, ""),
    ] as [(Int?, String)])
  func `says by how much a refused text is too long`(remaining: Int?, over: String) async throws {
    let peer = peer([
      "share/validateContent": { _ in
        try JSONCoding.value(of: Share.ContentState(isValid: false, charactersRemaining: remaining))
      }
    ])
    try await compose(peer) { sheet in
      let state = try await sheet.setText("x")
      #expect(state == Share.ContentState(isValid: false, charactersRemaining: remaining))
      let error = await #expect(throws: ExtensionError.self) { _ = try await sheet.post() }
      #expect(error?.message == "com.example.test.extension does not accept this text.\(over)")
      #expect(peer.params(of: Share.DidSelectPost.method) == [])
    }
  }

  @Test func `has the extension's word of its text, also without a question`() async throws {
    let peer = peer(["share/didSelectPost": { _ in [:] }])
    try await compose(peer) { sheet in
      #expect(sheet.contentState == nil)
      _ = try await sheet.setText("x")
      // Another sheet of another process comes and goes.
      _ = try await compose(self.peer()) { try await $0.presentation() }
      let over = Share.ContentState(isValid: false, charactersRemaining: -2)
      try await peer.call(Share.SetContentState(requestID: sheet.requestID, state: over))
      #expect(sheet.contentState == over)
      await #expect(throws: ExtensionError(.contentInvalid, "")) { _ = try await sheet.post() }
      #expect(peer.params(of: Share.DidSelectPost.method) == [])
      #expect(try await sheet.setText("y") == Share.ContentState(isValid: true))
      try await peer.call(Request.Complete(requestID: sheet.requestID, returningItems: nil))
      #expect(try await sheet.post() == .completed([]))
      let posted = peer.params(of: Share.DidSelectPost.method).map { $0["contentText"] }
      #expect(posted == ["y"])
      #expect(peer.params(of: Share.ValidateContent.method).map { $0["contentText"] } == ["x", "y"])
    }
  }

  @Test func `is closed to its extension, and to the host, once it is over`() async throws {
    let peer = peer()
    let kept = Kept<ShareSheet>()
    try await Stage(services: [requests, service]).withPeer(peer, identity: Self.identity) { process in
      try await process.compose([], requests: requests, service: service) { kept.keep($0) }
      let sheet = try #require(kept.value)
      let state = Share.SetContentState(requestID: sheet.requestID, state: Share.ContentState(isValid: true))
      #expect(try await peer.refusal(of: state) == .requestUnknown)
      #expect(sheet.contentState == nil)
      await #expect(throws: ExtensionError(.alreadyCompleted, "")) { _ = try await sheet.post() }
      await #expect(throws: ExtensionError(.alreadyCompleted, "")) { _ = try await sheet.cancel() }
      #expect(peer.methods == [Request.Begin.method])
    }
  }

  @Test func `gives up a cancellation that the extension does not serve`() async throws {
    let peer = peer(["share/didSelectCancel": { _ in throw ExtensionError(.methodNotFound, "No.") }])
    let outcome = try await compose(peer) { sheet in
      let outcome = try await sheet.cancel()
      let withdrawal = try await peer.wait(for: Request.Withdraw.method)
      #expect(withdrawal["requestID"] == .string(sheet.requestID) && withdrawal["error"]?["code"] == 3072)
      return outcome
    }
    #expect(outcome == .cancelled(.userCancelled))
  }

  @Test func `gives up a cancellation that takes too long`() async throws {
    let peer = peer(["share/didSelectCancel": { _ in [:] }])
    let outcome = try await compose(peer) { sheet in
      let outcome = try await sheet.cancel(deadline: .milliseconds(50))
      #expect(try await peer.wait(for: Request.Withdraw.method)["error"]?["code"] == 3072)
      return outcome
    }
    #expect(outcome == .cancelled(.userCancelled))
  }

  @Test func `says what the extension throws when it is cancelled`() async throws {
    let peer = peer(["share/didSelectCancel": { _ in throw ExtensionError(.contentFailed, "No.") }])
    try await compose(peer) { sheet in
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.cancel() }
      // Messages keep their order: a withdrawal would have come before this call.
      _ = try await sheet.presentation()
      #expect(peer.methods == [Request.Begin.method, Share.DidSelectCancel.method, Share.Presentation.method])
    }
  }

  @Test func `says what the extension throws, where it may also serve nothing`() async throws {
    let fail: ScriptedPeer.Answer = { _ in throw ExtensionError(.contentFailed, "No.") }
    let peer = peer([
      "share/presentation": fail, "share/configurationItems": fail, "share/completions": fail,
      "share/validateContent": fail,
    ])
    try await compose(peer) { sheet in
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.presentation() }
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.configurationItems() }
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.completions() }
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.setText("x") }
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.post() }
      #expect(sheet.contentState == nil)
    }
  }

  @Test func `has the first texts of an extension, and none without them`() async throws {
    try await compose(peer()) { sheet in
      let texts = try await sheet.presentation()
      #expect(texts == Share.Presentation.Result(contentText: "Hello"))
    }
  }

  @Test func `is not opened for items that the extension does not take`() async throws {
    let peer = peer(["context/beginRequest": { _ in ["accepted": false] }])
    await #expect(throws: ExtensionError(.handlerFailed, "")) {
      try await compose(peer) { _ in Issue.record("It is open.") }
    }
    #expect(peer.params(of: Share.Presentation.method) == [])
  }

  /// Holds answers back, and says that a question has come.
  private final class Held: Sendable {
    let gates = [Gate(), Gate()]
    let count = Mutex(0)
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)

    func wait() async {
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      isAsked.yield()
      await gates[min(number, 1)].wait()
    }
  }

  private func peer(holding held: Held) -> ScriptedPeer {
    peer([
      "share/validateContent": { _ in
        await held.wait()
        return ["isValid": true]
      }, "share/didSelectPost": { _ in [:] },
    ])
  }

  @Test func `is posted when the extension says by itself that the text is valid, before it answers`() async throws {
    let held = Held()
    let peer = peer(holding: held)
    try await compose(peer) { sheet in
      async let outcome = sheet.post()
      for await _ in held.asked { break }
      let valid = Share.ContentState(isValid: true)
      try await peer.call(Share.SetContentState(requestID: sheet.requestID, state: valid))
      try await peer.call(Request.Complete(requestID: sheet.requestID, returningItems: nil))
      held.gates[0].open()
      #expect(try await outcome == .completed([]))
      #expect(peer.params(of: Share.DidSelectPost.method).count == 1)
    }
  }

  @Test func `is posted when the answer to a change of the text decides it`() async throws {
    let held = Held()
    let peer = peer(holding: held)
    try await compose(peer) { sheet in
      async let state = sheet.setText("x")
      for await _ in held.asked { break }
      async let outcome = sheet.post()
      for await _ in held.asked { break }
      try await peer.call(Request.Complete(requestID: sheet.requestID, returningItems: nil))
      held.gates[0].open()
      #expect(try await state == Share.ContentState(isValid: true))
      held.gates[1].open()
      #expect(try await outcome == .completed([]))
      #expect(peer.params(of: Share.DidSelectPost.method).map { $0["contentText"] } == ["x"])
    }
  }

  @Test func `is not posted later by what the extension says after a post that failed`() async throws {
    let hasFailed = Kept<Bool>()
    let peer = peer([
      "share/validateContent": { _ in
        guard hasFailed.value != nil else {
          hasFailed.keep(true)
          throw ExtensionError(.contentFailed, "No.")
        }
        return ["isValid": true]
      }, "share/didSelectPost": { _ in [:] },
    ])
    try await compose(peer) { sheet in
      await #expect(throws: ExtensionError(.contentFailed, "")) { _ = try await sheet.post() }
      let valid = Share.ContentState(isValid: true)
      try await peer.call(Share.SetContentState(requestID: sheet.requestID, state: valid))
      _ = try await sheet.setText("y")
      try await peer.call(Request.Complete(requestID: sheet.requestID, returningItems: nil))
      #expect(try await sheet.post() == .completed([]))
      #expect(peer.params(of: Share.DidSelectPost.method).map { $0["contentText"] } == ["y"])
    }
  }
}
