import ExtensionProtocol
import JSON
import Synchronization
import Testing

@testable import ExtensionHosting
@testable import JSONRPC

/// What is told, and remembered, of a call that failed.
@Suite(.timeLimit(.minutes(1)))
struct `A call that failed` {
  private static let method = "clock/strike"
  private let held: HeldInstances

  init() throws { held = try HeldInstances() }

  private func process() async throws -> ExtensionProcess {
    try await held.launch(held.target(), for: .request).process
  }

  private func explain(
    _ process: ExtensionProcess, _ failure: CallFailure, method: String = method, after hard: Duration = .seconds(2)
  ) async -> ExtensionError { await process.explain(failure, during: method, RequestDeadline(hard: hard)) }

  private func failure(of process: ExtensionProcess) -> HealthRecord.Failure? {
    process.instance.failure.withLock { $0 }
  }

  private func exception(of process: ExtensionProcess) -> HealthRecord.Failure? {
    process.instance.exception.withLock { $0 }
  }

  @Test func `with an error of the extension's own is a claim, and no failure`() async throws {
    let process = try await process()
    for (number, code) in [(-32602, .invalidParams), (-32001, .handlerFailed)] as [(Int, ExtensionError.Code)] {
      let claim = await explain(process, .answered(ErrorObject(code: number, message: "No.")))
      #expect(claim.code == code && claim.message == "No." && claim.isClaim)
      #expect(claim.details["extension"] == .string(HeldInstances.clock) && claim.details["hostAdvice"] == nil)
      #expect(exception(of: process) == nil && failure(of: process) == nil)
    }
  }

  @Test func `because its handler threw is remembered, the last one and without secrets`() async throws {
    let process = try await process()
    let number = ExtensionError.Code.handlerFailed.number
    let long = String(repeating: "é", count: 251)
    for (text, shown) in [
      ("token=\"abcdefgh\" \u{1B}", "token=\"<redacted>\" \\u{1b}"), (long, String(long.dropLast())),
      ("a\nb", "a\\u{a}b"),
    ] {
      let claim = await explain(process, .answered(ErrorObject(code: number, message: text)))
      #expect(claim.code == .handlerFailed && claim.message == text && claim.details["hostAdvice"] == nil)
      let seen = try #require(exception(of: process))
      #expect(seen.kind == .exception && seen.method == Self.method && seen.version == "2.0")
      #expect(seen.message == "Clock threw while it served clock/strike: \(shown)")
      #expect(
        seen.recovery == "Correct the handler where the trace says. What the extension printed is in its log.")
    }
    let claim = await explain(process, .answered(ErrorObject(code: number, message: "MemoryError")))
    let advice = try #require(claim.details["hostAdvice"]?.stringValue)
    #expect(advice.hasPrefix("It asked for more memory than the 32 MiB that it may use. Make the extension use less"))
    #expect(advice.contains("Its extension point allows 32 MiB at most;"))
    #expect(exception(of: process)?.recovery == advice && failure(of: process) == nil)
  }

  @Test func `because the handshake was refused is a wrong answer, whatever the reason`() async throws {
    let process = try await process()
    let object = ErrorObject(code: -32020, message: String(repeating: "é", count: 251))
    let error = await explain(process, .answered(object), method: Initialize.method)
    #expect(error.code == .protocolViolation && !error.isClaim)
    #expect(
      error.message
        == "Clock answered initialize wrongly. It refused the handshake (-32020): \(String(repeating: "é", count: 250))"
    )
    #expect(error.recovery == "Make the extension answer as the contract of initialize says.")
    let seen = try #require(failure(of: process))
    #expect(seen.kind == .protocolViolation && seen.violation == "handshakeRefused" && seen.message == error.message)
    #expect(seen.recovery == error.recovery && seen.method == Initialize.method && exception(of: process) == nil)
  }

  @Test func `because the answer is wrong says where, and the first failure stays`() async throws {
    let process = try await process()
    let object = ErrorObject(code: 0, message: "x is\nmissing.", data: ["path": "result.x", "other": 1])
    let error = await explain(process, .misanswered(object))
    #expect(error.message == "Clock answered clock/strike wrongly. x is\\u{a}missing.")
    #expect(error.details == ["path": "result.x", "extension": .string(HeldInstances.clock)])
    let first = try #require(failure(of: process))
    #expect(first.violation == "wrongAnswer" && first.kind == .protocolViolation)
    let long = await process.misanswered("clock/stop", String(repeating: "é", count: 501))
    #expect(long.message == "Clock answered clock/stop wrongly. \(String(repeating: "é", count: 500))")
    #expect(long.details == ["extension": .string(HeldInstances.clock)])
    #expect(failure(of: process) == first)
  }

  @Test func `because it took too long says which time was over`() async throws {
    for (details, kind, message) in [
      ([:], .call, "Clock did not answer clock/strike within 2 s."),
      (["deadline": "silence"], .silence, "Clock gave no sign of life for 2 s while it served clock/strike."),
    ] as [([String: JSONValue], HealthRecord.Deadline.Kind, String)] {
      let process = try await process()
      let late = ExtensionError(.deadlineExceeded, "x", details: details)
      let error = await explain(process, .found(late.errorObject))
      #expect(error.code == .deadlineExceeded && error.message == message)
      #expect(error.details["deadline"] == details["deadline"])
      #expect(
        error.recovery
          == "Look for what the handler of clock/strike waits for. No key of the manifest allows more than 2 s here; "
          + "what takes longer belongs into several updates or a background session.")
      let seen = try #require(failure(of: process))
      #expect(seen.kind == .deadline && seen.deadline == .init(kind, .seconds(2)) && seen.method == Self.method)
    }
    let process = try await process()
    let late = ExtensionError(.deadlineExceeded, "x").errorObject
    let error = await explain(process, .found(late), method: Initialize.method, after: .milliseconds(1_500))
    #expect(error.message == "Clock did not answer initialize within 1.5 s.")
    #expect(error.recovery == ExtensionError.Code.deadlineExceeded.recovery)
    let seen = try #require(failure(of: process))
    #expect(seen.kind == .handshakeTimeout && seen.deadline == .init(.handshake, .milliseconds(1_500)))
  }

  @Test func `because the process is gone says why`() async throws {
    let gone = CallFailure.found(ExtensionError(.peerExited, "x").errorObject)
    let excess = PeerLedger.Excess(held: 65 << 20, ceiling: 64 << 20)
    for (reason, code, kind, message) in [
      (nil, .peerExited, .hungUp, "hung up, before it answered clock/strike."),
      (.peerClosed, .peerExited, .hungUp, "hung up, before it answered clock/strike."),
      (.readFailed(errno: 5), .peerExited, .hungUp, "hung up, before it answered clock/strike."),
      (.finished, .cancelled, nil, "was ended by the host, before it answered clock/strike."),
      (.cancelled, .cancelled, nil, "was ended by the host, before it answered clock/strike."),
      (
        .outgoingQueueFull(limit: 9), .protocolViolation, .protocolViolation,
        "was cut off, before it answered clock/strike. The peer does not read: more than 9 bytes wait for it."
      ),
      (
        .ledgerExceeded(excess), .peerExited, .hostMemory,
        "was ended for the host's memory: it held 65 MiB of it, and 64 MiB are allowed, before it answered clock/strike."
      ),
    ] as [(CloseReason?, ExtensionError.Code, FailureKind?, String)] {
      let process = try await process()
      if let reason { process.connection.shutDown(reason) }
      let error = await explain(process, gone)
      #expect(error.code == code && error.message == "Clock \(message)")
      let seen = failure(of: process)
      #expect(seen?.kind == kind && seen?.message == (kind == nil ? nil : error.message))
      #expect(seen?.violation == (kind == .protocolViolation ? reason?.name : nil))
      // What the limit was is the reason then.
      let told = kind == nil ? nil : kind == .hostMemory ? "hostMemory" : reason?.name
      #expect(error.details["reason"] == told.map { .string($0) })
      if kind == .hostMemory {
        #expect(seen?.recovery == ExitReason(excess).recovery && seen?.measure == ExitReason(excess).measure)
        #expect(error.details["ceiling"] == .integer(64 << 20))
      }
    }
  }

  @Test func `for another reason is no failure, and an end without a call is one`() async throws {
    let process = try await process()
    let error = await explain(process, .found(ExtensionError(.queueFull, "Full.").errorObject))
    #expect(error.code == .queueFull && error.message == "Full.")
    #expect(error.details == ["extension": .string(HeldInstances.clock)] && failure(of: process) == nil)
    process.connection.shutDown(.peerClosed)
    await process.noteExit()
    #expect(failure(of: process)?.message == "Clock hung up, before it was asked to.")
    #expect(failure(of: process)?.method == nil)
  }
}
