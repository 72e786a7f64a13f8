import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionHosting

/// What the host does with a process: how long it waits for it, and what it tells it.
@Suite(.timeLimit(.minutes(1)))
struct `The handle of a process` {
  private struct Strike: RemoteMethod {
    typealias Result = Empty
    static let method = "clock/strike"
  }

  private struct Stop: RemoteNotification { static let method = "clock/stop" }
  private struct Send: RemoteNotification { static let method = "sender/send" }

  /// Keeps the methods that it hears.
  private final class Hearing: MessageHandler {
    private let heard = Mutex<[String]>([])
    var methods: [String] { heard.withLock { $0 } }

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      let method = message.method
      heard.withLock { $0.append(method) }
      return nil
    }
  }

  private static func code(_ process: ExtensionProcess, within limit: Duration) async -> ExtensionError.Code? {
    do throws(ExtensionError) {
      _ = try await process.call("clock/strike", params: [:], rule: RequestDeadline(hard: limit))
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `has its deadlines stand still while the user is asked, and go on afterwards`() async throws {
    struct Refused: Error {}
    let held = try HeldInstances()
    try await held.withPeer(SilentPeer()) { one in
      let process = one.process
      try await held.withPeer(SilentPeer()) { other in
        for isRefused in [false, true, false] {
          let asked = process.timeAsked
          var call: Task<ExtensionError.Code?, Never>?
          do {
            try await process.whileUserIsAsked {
              #expect(process.isUserAsked)
              call = Task { await Self.code(process, within: .milliseconds(1)) }
              await until { process.connection.oldestCall != nil }
              // The time of this one is over later.
              #expect(await Self.code(other.process, within: .milliseconds(20)) == .deadlineExceeded)
              #expect(process.connection.oldestCall != nil)
              if isRefused { throw Refused() }
            }
          } catch is Refused {
            #expect(isRefused)
          }
          #expect(!process.isUserAsked && process.timeAsked > asked)
          let code = await call?.value
          #expect(code == .deadlineExceeded && process.connection.oldestCall == nil)
        }
      }
    }
  }

  @Test func `is at work until an operation ends, and has failed once it was silent for too long`() async throws {
    let held = try HeldInstances()
    let (one, work, loop) = (try await held.launch(held.target(), for: .request), OpenWork(), held.loop)
    let process = ExtensionProcess(
      of: one.instance, connection: one.link.connection, scratch: nil, monitor: nil, owner: nil, work: work)
    let silence = ExtensionError(.deadlineExceeded, "It is silent.", recovery: "Speak.")
    for number in 1...2 as ClosedRange<Int64> {
      let oldest = try await process.within(.seconds(50)) {
        work.oldest
      } timeout: {
        silence
      }
      #expect(oldest == 1 - 2 * number && work.oldest == nil)
      let failed = await #expect(throws: ExtensionError.self) {
        try await process.within(.seconds(50)) { () throws -> Void in
          throw ExtensionError(.queueFull, "Full.")
        } timeout: {
          silence
        }
      }
      #expect(failed?.code == .queueFull && work.oldest == nil && !one.instance.hasFailed)
    }
    for message in ["It is silent.", "It is silent again."] {
      let error = await #expect(throws: ExtensionError.self) {
        try await process.within(.milliseconds(5)) {
          try await loop.sleep(for: .seconds(50))
        } timeout: {
          ExtensionError(.deadlineExceeded, message, recovery: "Speak.")
        }
      }
      #expect(error?.message == message && work.oldest == nil)
    }
    let failure = try #require(one.instance.failure.withLock { $0 })
    #expect(failure.kind == .deadline && failure.message == "It is silent." && failure.recovery == "Speak.")
    #expect(failure.deadline == .init(.silence, .milliseconds(5)) && failure.method == nil)
  }

  @Test func `tells what its point has, and neither what is another's nor what is too new for it`() async throws {
    let log = KeptLog(from: .error)
    let held = try HeldInstances(log: log)
    let point = ExtensionPointDefinition(
      .clock, version: PointVersion(1, 2), shortName: "clock", role: "a clock", plural: "the clocks",
      calls: [.announced("clock/stop", isNotification: true, since: PointVersion(1, 1))],
      limits: ExtensionLimits(memoryMiB: 1))
    let supervisor = ExtensionSupervisor(
      id: HeldInstances.clock, configuration: held.configuration,
      calls: CallRules(points: ExtensionPointTable([point]), contracts: []), loop: held.loop,
      surroundings: held.surroundings)
    let peer = Hearing()
    try await held.withPeer(peer, by: supervisor) { one in
      let process = one.process
      for version in [PointVersion(1, 0), PointVersion(1, 1)] {
        process.pointVersion = version
        await process.notify(Stop())
        try process.post(Stop())
        await process.notify(Send())
        try process.post(Send())
        let refused = await #expect(throws: ExtensionError.self) { try await process.call(Strike()) }
        #expect(refused?.code == .pointDisallows)
      }
      await process.notify("last", params: [:])
      await until { peer.methods.last == "last" }
      #expect(peer.methods == ["clock/stop", "clock/stop", "last"])
    }
    // That it is too old for a method is no error of the host's.
    #expect(log.lines.count == 4 && log.lines.allSatisfy { $0.hasPrefix("sender/send is not a method of") })
  }
}
