public import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization
import Text

/// Turns failures of a running extension into errors, and stores them for its health.
extension ExtensionProcess {
  /// Returns the error of a failed call: the extension's answer, marked as its claim, or the host's own finding, which
  /// is stored.
  ///
  /// - Parameter rule: the deadline of the call.
  func explain(_ failure: CallFailure, during method: String, _ rule: RequestDeadline) async -> ExtensionError {
    switch failure {
    case .answered(let object):
      var claim = ExtensionError(claim: object, of: identity.id)
      // Who refuses the handshake is of no use, whatever the reason that it gives.
      guard method == Initialize.method else {
        guard object.code == ExtensionError.Code.handlerFailed.number else { return claim }
        let lines = await threw(claim.message, serving: method)
        claim.details["hostAdvice"] = advice(about: lines + [claim.message]).map { .string($0) }
        if !lines.isEmpty { claim.details["standardError"] = .array(lines.map { .string($0) }) }
        return claim
      }
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
        "\(identity.displayName) did not answer \(method) within \(ExitReason.seconds(rule.hard)).", method: method)
      let isSilence = error.details["deadline"] == .string("silence")
      if isSilence {
        finding.message =
          "\(identity.displayName) gave no sign of life for \(ExitReason.seconds(rule.hard)) while it served \(method)."
      }
      if !isHandshake { finding.recovery = await lateness(of: method, after: rule.hard) }
      finding.deadline = .init(isHandshake ? .handshake : isSilence ? .silence : .call, rule.hard)
      finding.details = error.details
      return await found(finding)
    default:
      var error = error
      error.details["extension"] = .string(identity.id)
      return error
    }
  }

  /// What to do about an answer that did not come: processor time tells a loop from a wait.
  private func lateness(of method: String, after limit: Duration) async -> String {
    let used = await monitor?.requestCPU
    let figure = used.map { "It used \(ExitReason.seconds($0)) of processor time: " } ?? ""
    let cause =
      used.map { $0 > limit / 8 } ?? false
      ? "look for an endless loop in the handler of \(method)."
      : "look for what the handler of \(method) waits for."
    let text = figure.isEmpty ? cause.prefix(1).uppercased() + cause.dropFirst() : figure + cause
    return
      "\(text) No key of the manifest allows more than \(ExitReason.seconds(limit)) here; what takes longer belongs "
      + "into several updates or a background session."
  }

  /// Reports an answer that does not satisfy the method's contract, which counts as a failure. Services call this when
  /// the contract demands more than the type of the result.
  ///
  /// - Parameters:
  ///   - method: the wire name of the call.
  ///   - why: what is wrong with the answer, as a sentence.
  /// - Returns: the error for the caller.
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

  /// How long after the end of its output a process may live before it counts as one that has closed it and goes on. Where
  /// many end at once, a busy machine needs more than a second for one.
  private static let patience = Duration.seconds(3)

  /// Returns a `peerExited` error with the process's exit reason, or with the other reason for the end of the
  /// connection.
  ///
  /// - Parameters:
  ///   - before: what the process had not done yet, as a clause: `it answered initialize`.
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
        reason = await monitor?.exit(within: Self.patience)
      }
      if reason == .unknown { reason = .closedOutput }
      finding = Finding(
        reason?.failureKind ?? .hungUp, .peerExited,
        "\(identity.displayName) \(reason?.description ?? "hung up"), before \(before).")
      finding.reason = reason
      finding.recovery = reason.flatMap { reason in
        let configuration = instance.supervisor.configuration
        return reason.recovery(of: instance.target, within: configuration.largestLimits(of: instance.target))
      }
    }
    finding.method = method
    if let closed { finding.details["reason"] = .string(closed.name) }
    return await found(finding)
  }

  /// Stores the failure of a process that ended while no call was open.
  func noteExit() async {
    guard !instance.hasFailed else { return }
    _ = await exit(before: "it was asked to")
  }

  /// A handler of the extension threw an error that it did not expect, as the extension says. It counts as no failure of the
  /// process, which went on; it is remembered with what was written to standard error, where clients write the trace.
  ///
  /// - Parameters:
  ///   - why: the extension's words.
  ///   - method: the method that the handler served.
  /// - Returns: the last lines of standard error, safe to print.
  @discardableResult
  public func threw(_ why: String, serving method: String) async -> [String] {
    await monitor?.catchUp()
    let why = StandardErrorRing.printable(Secrets.redacted(why.prefix(utf8: 500)).utf8)
    var finding = Finding(
      .exception, .handlerFailed, "\(identity.displayName) threw while it served \(method): \(why)", method: method)
    if let monitor { finding.standardError = await monitor.standardError }
    finding.recovery =
      advice(about: finding.standardError + [why])
      ?? "Correct the handler where the trace says. What the extension printed is in its log."
    let new = HealthRecord.Failure(finding, version: identity.version)
    instance.exception.withLock { $0 = new }
    return finding.standardError
  }

  /// What to do about an exception that a limit or the sandbox caused, by the words that the extension left.
  private func advice(about lines: [String]) -> String? {
    let target = instance.target
    guard SandboxRefusal.isOfMemory(lines) else { return SandboxRefusal.advice(for: lines, manifest: target.manifest) }
    let largest = instance.supervisor.configuration.largestLimits(of: target)
    let ceiling = min(target.limits.memoryMiB.map { UInt64(clamping: $0) << 20 } ?? .max, largest.memory)
    let recovery = ExitReason.memory(used: ceiling, ceiling: ceiling).recovery(of: target, within: largest)
    return "It asked for more memory than the \(ByteText.of(ceiling)) that it may use. \(recovery ?? "")"
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
  /// The kind of failure that an unrequested end is.
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
