import ExtensionProtocol
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionHosting

/// Whether a process that is kept is there still.
@Suite(.timeLimit(.minutes(1)))
struct `A ping of a kept process` {
  /// Answers pings, or refuses them.
  private final class Peer: MessageHandler {
    private let refusal: ErrorObject?
    private let seen = Atomic(0)
    var count: Int { seen.load(ordering: .acquiring) }

    init(refusing refusal: ErrorObject?) { self.refusal = refusal }

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      guard message.method == Ping.method else { throw .methodNotFound(message.method) }
      seen.add(1, ordering: .acquiringAndReleasing)
      if let refusal { throw refusal }
      return MessageWork { Reply.encoding(Ping.Result(nonce: nil, uptimeMs: 1)) }
    }
  }

  @Test(arguments: [nil, ErrorObject.methodNotFound(Ping.method)])
  func `has an answer also of who does not know it`(refusal: ErrorObject?) async throws {
    let held = try HeldInstances { $0.deadlines.ping = .milliseconds(300) }
    let peer = Peer(refusing: refusal)
    try await held.withPeer(peer, for: .keeping(replaces: nil)) { one in
      await one.instance.event(.kept)
      let attending = Task { await one.instance.attend() }
      // Without answers it would be ended in the place of the third one.
      await until { peer.count == 3 || !one.link.kills.isEmpty }
      #expect(await one.state == .suspended)
      #expect(one.link.kills == [] && one.link.ends == [])
      attending.cancel()
      await attending.value
      #expect(one.link.ends == [.quit])
    }
  }

  @Test func `comes soon again after a request, and later each time without one`() async throws {
    let held = try HeldInstances { $0.deadlines.ping = .milliseconds(200) }
    let (busy, quiet) = (Peer(refusing: nil), Peer(refusing: nil))
    try await held.withPeer(busy, for: .keeping(replaces: nil)) { one in
      try await held.withPeer(quiet, for: .keeping(replaces: nil)) { other in
        let instances = [one.instance, other.instance]
        for instance in instances { await instance.event(.kept) }
        let attending = instances.map { instance in Task { await instance.attend() } }
        await until { busy.count >= 3 && quiet.count >= 3 }
        #expect(await one.instance.beginRequest())
        await one.instance.endRequest()
        await one.instance.event(.kept)
        // After three answers the next one would be due after four times the first pause.
        await until { busy.count >= 4 || quiet.count >= 4 }
        #expect(busy.count >= 4)
        for task in attending { task.cancel() }
        for task in attending { await task.value }
      }
    }
  }

  private func expectForce(_ one: HeldInstances.Held) async {
    await one.instance.event(.kept)
    await one.instance.attend()
    #expect(one.link.kills == [.hung] && one.link.ends == [.timeout] && one.link.cleanUps == 1)
    #expect(await one.state == .terminated(.killed(.hung)))
  }

  @Test func `has none of who fails to answer, or says nothing`() async throws {
    let held = try HeldInstances { $0.deadlines.ping = .milliseconds(20) }
    let failed = ErrorObject(code: ExtensionError.Code.handlerFailed.number, message: "No.")
    try await held.withPeer(Peer(refusing: failed), for: .keeping(replaces: nil)) { await expectForce($0) }
    try await held.withPeer(SilentPeer(), for: .keeping(replaces: nil)) { await expectForce($0) }
  }
}
