import AppExtensions
import ExtensionHosting
import ExtensionTesting
import JSON
import JSONRPC
import Testing

@testable import HostServices

/// What work after a request costs the host, and whose it is.
@Suite(.timeLimit(.minutes(1)))
struct `An expiring activity` {
  private static let identity = Caller.Identity.testing(point: .share)
  private static let begin = Request.BeginExpiringActivity(reason: "Saving")

  private func withPeer<Value: Sendable>(
    _ peer: ScriptedPeer, _ requests: RequestService, _ body: (ExtensionProcess) async throws -> Value
  ) async throws -> Value {
    try await Stage(services: [requests]).withPeer(peer, identity: Self.identity, body)
  }

  @Test func `is one of several, each of which is ended once`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService(grace: .milliseconds(1500)))
    try await withPeer(peer, requests) { _ in
      let (first, second) = (try await peer.call(Self.begin), try await peer.call(Self.begin))
      #expect(first.token != second.token && first.expiresInMs == 1500)
      for token in [first.token, second.token] {
        #expect(try await peer.refusal(of: Request.EndExpiringActivity(token: token)) == nil)
      }
      for token in [first.token, second.token, ""] {
        #expect(try await peer.refusal(of: Request.EndExpiringActivity(token: token)) == .invalidParams)
      }
    }
  }

  @Test func `is one of at most sixteen, until one of them ends`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { _ in
      var tokens: [String] = []
      for _ in 0..<16 { tokens.append(try await peer.call(Self.begin).token) }
      #expect(Set(tokens).count == 16)
      #expect(try await peer.refusal(of: Self.begin) == .limitExceeded)
      try await peer.call(Request.EndExpiringActivity(token: tokens[7]))
      #expect(try await peer.refusal(of: Self.begin) == nil)
      #expect(try await peer.refusal(of: Self.begin) == .limitExceeded)
    }
  }

  @Test func `is its own process's`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { _ in
      let token = try await peer.call(Self.begin).token
      let other = ScriptedPeer()
      try await withPeer(other, requests) { _ in
        #expect(try await other.refusal(of: Request.EndExpiringActivity(token: token)) == .invalidParams)
        try await other.call(Self.begin)
      }
      #expect(try await peer.refusal(of: Request.EndExpiringActivity(token: token)) == nil)
    }
  }

  @Test func `comes with the end of a request that has work, and with no other`() async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService(grace: .milliseconds(1500)))
    try await withPeer(peer, requests) { process in
      // Nothing is waited for after a request that fails.
      _ = await #expect(throws: ExtensionError(.contentFailed, "")) {
        try await requests.withRequest(of: process) { id in
          let refused = Request.Complete(requestID: "r0", returningItems: nil, completionWork: true)
          #expect(try await peer.refusal(of: refused) == .requestUnknown)
          let complete = Request.Complete(requestID: id, returningItems: nil, completionWork: true)
          let answer = try await peer.call(complete)
          #expect(answer.delivered && answer.expiresInMs == 1500)
          #expect(try await peer.refusal(of: complete) == .alreadyCompleted)
          // What was refused counts no more.
          for _ in 0..<15 { try await peer.call(Self.begin) }
          #expect(try await peer.refusal(of: Self.begin) == .limitExceeded)
          let token = try #require(answer.token)
          #expect(try await peer.refusal(of: Request.EndExpiringActivity(token: token)) == nil)
          throw ExtensionError(.contentFailed, "")
        }
      }
    }
  }

  @Test(arguments: [nil, false]) func `does not come with a request that has none`(work: Bool?) async throws {
    let (peer, requests) = (ScriptedPeer(), RequestService())
    try await withPeer(peer, requests) { process in
      try await requests.withRequest(of: process) { id in
        let answer = try await peer.call(Request.Complete(requestID: id, returningItems: nil, completionWork: work))
        #expect(answer == Request.Complete.Result())
      }
      #expect(peer.params(of: Request.WillExpire.method) == [])
    }
  }

  @Test func `that goes on for too long is warned of once, and forgotten`() async throws {
    let peer = ScriptedPeer(["share/presentation": { _ in [:] }])
    let requests = RequestService(grace: .milliseconds(20))
    try await withPeer(peer, requests) { process in
      let token = try await requests.withRequest(of: process) { _ in try await peer.call(Self.begin).token }
      #expect(try await peer.wait(for: Request.WillExpire.method)["deadlineMs"] == 500)
      #expect(try await peer.refusal(of: Request.EndExpiringActivity(token: token)) == .invalidParams)
      try await requests.withRequest(of: process) { _ in }
      // Messages keep their order: a second warning would have come before this call.
      _ = try await process.call(Share.Presentation(requestID: "r0"))
      #expect(peer.methods == [Request.WillExpire.method, Share.Presentation.method])
    }
  }
}
