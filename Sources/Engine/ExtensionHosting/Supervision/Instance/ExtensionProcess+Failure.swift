public import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization

/// What an error of a running extension says, and what is remembered of it.
extension ExtensionProcess {
  /// Why a call failed: what the extension answered, as its claim, or what the host found, which is remembered.
  ///
  /// - Parameter rule: the deadline of the call.
  func explain(_ failure: CallFailure, during method: String, _ rule: RequestDeadline) async -> ExtensionError {
    switch failure {
    case .answered(let object):
      let claim = ExtensionError(claim: object, of: identity.id)
      // Who refuses the handshake is of no use, whatever the reason that it gives.
      guard method == Initialize.method else { return claim }
      let said = StandardErrorRing.printable(Secrets.redacted(claim.message.prefix(utf8: 500)).utf8)
      return await misanswered(method, "It refused the handshake (\(object.code)): \(said)", "handshakeRefused")
    case .misanswered(let object):
      return await misanswered(method, object.message, "wrongAnswer", data: object.data)
    case .found(let object): return await explain(found: ExtensionError(object), during: method, rule)
    }
  }

  private func explain(
    found error: ExtensionError, during method: String, _ rule: RequestDeadline
  ) async -> ExtensionError {
    switch error.code {
    case .peerExited: return await exit(before: "it answered \(method)", method: method)
    case .deadlineExceeded:
      let isHandshake = method == Initialize.method
      var finding = Finding(
        isHandshake ? .handshakeTimeout : .deadline, error.code,
        "\(identity.displayName) did not answer \(method) in time.", method: method)
      let isSilence = error.details["deadline"] == .string("silence")
      finding.deadline = .init(isHandshake ? .handshake : isSilence ? .silence : .call, rule.hard)
      finding.details = error.details
      return await found(finding)
    default:
      var error = error
      error.details["extension"] = .string(identity.id)
      return error
    }
  }

  /// The extension answered with something else than what the method's contract says, which counts as a failure: the
  /// services find so too, where a shape says less than the contract.
  ///
  /// - Parameters:
  ///   - method: the wire name of the call.
  ///   - why: what is wrong, as a sentence.
  /// - Returns: the error for whoever called.
  public func misanswered(_ method: String, _ why: String) async -> ExtensionError {
    await misanswered(method, why, "wrongAnswer")
  }

  private func misanswered(
    _ method: String, _ why: String, _ violation: String, data: JSONValue? = nil
  ) async -> ExtensionError {
    let why = StandardErrorRing.printable(why.prefix(utf8: 1000).utf8)
    var finding = Finding(
      .protocolViolation, .protocolViolation, "\(identity.displayName) answered \(method) wrongly. \(why)",
      method: method)
    finding.recovery = "Make the extension answer as the contract of \(method) says."
    finding.violation = violation
    if case .object(let object) = data, let path = object["path"] { finding.details["path"] = path }
    return await found(finding)
  }

  /// A `peerExited` with why the process ended, or what else ended the connection.
  ///
  /// - Parameters:
  ///   - before: what it had still to do, as a clause: `it answered initialize`.
  ///   - method: the call that was open.
  public func exit(before: String, method: String? = nil) async -> ExtensionError {
    let closed = connection.closeReason
    var finding: Finding
    switch closed {
    case .cancelled, .finished:
      return ExtensionError(.cancelled, "\(identity.displayName) was ended by the host, before \(before).")
    case .protocolViolation, .partialMessage, .writeStalled, .outgoingQueueFull, .notificationFlood:
      let why = closed.map { StandardErrorRing.printable("\($0)".utf8) } ?? ""
      finding = Finding(
        .protocolViolation, .protocolViolation, "\(identity.displayName) was cut off, before \(before). \(why)")
      finding.violation = closed?.name
    case .ledgerExceeded, .peerClosed, .readFailed, .writeFailed, nil:
      var reason: ExitReason?
      if case .ledgerExceeded(let excess) = closed {
        reason = ExitReason(excess)
      } else {
        reason = await monitor?.exit(within: .seconds(1))
      }
      if reason == .unknown { reason = .closedOutput }
      finding = Finding(
        reason?.failureKind ?? .hungUp, .peerExited,
        "\(identity.displayName) \(reason?.description ?? "hung up"), before \(before).")
      finding.reason = reason
      finding.recovery = reason?.recovery
    }
    finding.method = method
    if let closed { finding.details["reason"] = .string(closed.name) }
    return await found(finding)
  }

  /// What is remembered when the process ended and no call was open.
  func noteExit() async {
    guard !instance.hasFailed else { return }
    _ = await exit(before: "it was asked to")
  }

  /// Completes a finding with the last lines of standard error, and keeps it.
  private func found(_ finding: Finding) async -> ExtensionError {
    var finding = finding
    if let monitor { finding.standardError = await monitor.standardError }
    note(finding)
    return finding.error(of: identity)
  }

  /// Keeps the first finding.
  func note(_ finding: Finding) {
    let new = HealthRecord.Failure(finding, version: identity.version)
    instance.failure.withLock { $0 = $0 ?? new }
  }
}

extension ExitReason {
  /// What kind of failure an end is that nobody asked for.
  var failureKind: FailureKind {
    switch self {
    case .exited: .exited
    case .crashed, .crashedNearCeiling: .crashed
    case .launchFailed: .launchFailed
    case .memory: .memory
    case .cpu: .cpu
    case .diskQuota: .diskQuota
    case .threads: .threads
    case .hostMemory: .hostMemory
    case .handshakeTimeout: .handshakeTimeout
    case .watchdog, .stopped: .hung
    case .closedOutput, .sandboxEnded, .unknown: .hungUp
    }
  }
}
