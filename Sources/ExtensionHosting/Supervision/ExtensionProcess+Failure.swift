package import ExtensionProtocol
import JSONRPC
import Synchronization

/// What an error of a running extension says, and what is remembered of it.
extension ExtensionProcess {
  /// An error with what is known of the process: why it ended, and what it wrote last.
  func explain(_ error: ExtensionError, during method: String) async -> ExtensionError {
    switch error.code {
    case .peerExited: return await exit(error, before: "it answered \(method)", method: method)
    case .deadlineExceeded:
      var error = error
      error.message = "\(identity.displayName) did not answer \(method) in time."
      error = await attributed(error)
      note(error, kind: method == Initialize.method ? .handshakeTimeout : .deadline, reason: nil, method: method)
      return error
    default:
      var error = error
      error.details["extension"] = .string(identity.id)
      return error
    }
  }

  /// A `peerExited` with why the process ended, or what else ended the connection.
  ///
  /// - Parameters:
  ///   - before: what it had still to do, as a clause: `it answered initialize`.
  ///   - method: the call that was open.
  package func exit(
    _ error: ExtensionError, before: String, method: String? = nil
  ) async -> ExtensionError {
    var error = error
    var kind = FailureKind.protocolViolation
    var reason: ExitReason?
    switch connection.closeReason {
    case .cancelled, .finished:
      return ExtensionError(.cancelled, "\(identity.displayName) was ended by the host, before \(before).")
    case .protocolViolation, .partialMessage, .writeStalled, .outgoingQueueFull, .notificationFlood:
      let why = connection.closeReason.map { StandardErrorRing.printable("\($0)".utf8) } ?? ""
      error = ExtensionError(
        .protocolViolation, "\(identity.displayName) was cut off, before \(before). \(why)", details: error.details)
    case .peerClosed, .readFailed, .writeFailed, nil:
      reason = await monitor?.exit(within: .seconds(1))
      if reason == .unknown { reason = .closedOutput }
      kind = reason?.failureKind ?? .hungUp
      error.message = "\(identity.displayName) \(reason?.description ?? "hung up"), before \(before)."
      error.details.merge(reason?.details ?? [:]) { _, new in new }
      error.recovery = reason?.recovery ?? error.recovery
    }
    error = await attributed(error)
    note(error, kind: kind, reason: reason, method: method)
    return error
  }

  /// What is remembered when the process ended and no call was open.
  func noteExit() async {
    guard failure.withLock({ $0 == nil }) else { return }
    _ = await exit(ExtensionError(.peerExited, ""), before: "it was asked to")
  }

  /// An error with the extension's identifier and the last lines of its standard error.
  private func attributed(_ error: ExtensionError) async -> ExtensionError {
    var error = error
    error.details["extension"] = .string(identity.id)
    guard let monitor else { return error }
    let lines = await monitor.standardError
    if !lines.isEmpty { error.details["standardError"] = .array(lines.map { .string($0) }) }
    return error
  }

  /// Keeps the first failure.
  func note(_ error: ExtensionError, kind: FailureKind, reason: ExitReason?, method: String?) {
    let new = HealthRecord.Failure(error, kind: kind, reason: reason, method: method, version: identity.version)
    failure.withLock { $0 = $0 ?? new }
  }
}

extension ExitReason {
  /// What kind of failure an end is that nobody asked for.
  var failureKind: FailureKind {
    switch self {
    case .exited: .exited
    case .crashed, .crashedNearCeiling: .crashed
    case .launchFailed: .launchFailed
    case .memory, .cpu, .diskQuota, .threads, .writeStall, .stopped: .limit
    case .handshakeTimeout: .handshakeTimeout
    case .requestTimeout: .deadline
    case .watchdog, .hostShutdown, .closedOutput, .unknown: .hungUp
    }
  }
}

extension HealthRecord.Failure {
  /// What an error and an exit reason tell.
  init(_ error: ExtensionError, kind: FailureKind, reason: ExitReason?, method: String?, version: String?) {
    self.init(time: HealthStore.now, kind: kind, message: error.message)
    recovery = error.recovery
    self.method = method
    self.version = version
    self.reason = reason?.description
    switch reason {
    case .exited(let status): self.status = status
    case .crashed(let signal): self.signal = signal
    case .crashedNearCeiling(let signal, let used, _):
      self.signal = signal
      memory = Int64(clamping: used)
    case .memory(let used, _): memory = Int64(clamping: used)
    case .launchFailed(let stage, let errno):
      self.stage = stage
      self.errno = errno
    default: break
    }
    if case .string(let evidence) = error.details["wire"] { wire = evidence }
    if case .array(let lines) = error.details["standardError"] {
      standardError = lines.compactMap { if case .string(let line) = $0 { String(line.prefix(1000)) } else { nil } }
    }
  }
}
