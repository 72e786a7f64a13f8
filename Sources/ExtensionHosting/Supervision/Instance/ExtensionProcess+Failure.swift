package import ExtensionProtocol
import JSONRPC
import Synchronization

/// What an error of a running extension says, and what is remembered of it.
extension ExtensionProcess {
  /// An error with what is known of the process: why it ended, and what it wrote last.
  ///
  /// - Parameter rule: the deadline of the call.
  func explain(_ error: ExtensionError, during method: String, _ rule: RequestDeadline) async -> ExtensionError {
    switch error.code {
    case .peerExited: return await exit(error, before: "it answered \(method)", method: method)
    case .deadlineExceeded:
      var error = error
      error.message = "\(identity.displayName) did not answer \(method) in time."
      error = await attributed(error)
      if method == Initialize.method {
        note(error, kind: .handshakeTimeout, method: method) { $0.deadline = .init(.handshake, rule.hard) }
      } else {
        let isSilence = error.details["deadline"] == .string("silence")
        note(error, kind: .deadline, method: method) { $0.deadline = .init(isSilence ? .silence : .call, rule.hard) }
      }
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
    let closed = connection.closeReason
    switch closed {
    case .cancelled, .finished:
      return ExtensionError(.cancelled, "\(identity.displayName) was ended by the host, before \(before).")
    case .protocolViolation, .partialMessage, .writeStalled, .outgoingQueueFull, .notificationFlood:
      let why = closed.map { StandardErrorRing.printable("\($0)".utf8) } ?? ""
      error = ExtensionError(
        .protocolViolation, "\(identity.displayName) was cut off, before \(before). \(why)", details: error.details)
    case .ledgerExceeded, .peerClosed, .readFailed, .writeFailed, nil:
      if case .ledgerExceeded(let excess) = closed {
        reason = ExitReason(excess)
      } else {
        reason = await monitor?.exit(within: .seconds(1))
      }
      if reason == .unknown { reason = .closedOutput }
      kind = reason?.failureKind ?? .hungUp
      error.message = "\(identity.displayName) \(reason?.description ?? "hung up"), before \(before)."
      error.details.merge(reason?.details ?? [:]) { _, new in new }
      error.recovery = reason?.recovery ?? error.recovery
    }
    error = await attributed(error)
    note(error, kind: kind, reason: reason, method: method) {
      if kind == .protocolViolation { $0.violation = closed?.name }
    }
    return error
  }

  /// What is remembered when the process ended and no call was open.
  func noteExit() async {
    guard !instance.hasFailed else { return }
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
  ///
  /// - Parameter complete: adds what is known beyond the error and the reason.
  func note(
    _ error: ExtensionError, kind: FailureKind, reason: ExitReason? = nil, method: String?,
    _ complete: (inout HealthRecord.Failure) -> Void = { _ in }
  ) {
    var new = HealthRecord.Failure(error, kind: kind, reason: reason, method: method, version: identity.version)
    complete(&new)
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
    case .writeStall: .protocolViolation
    case .handshakeTimeout: .handshakeTimeout
    case .requestTimeout: .deadline
    case .watchdog, .stopped: .hung
    case .hostShutdown, .closedOutput, .sandboxEnded, .unknown: .hungUp
    }
  }
}

extension HealthRecord.Failure {
  /// What an error and an exit reason tell.
  init(_ error: ExtensionError, kind: FailureKind, reason: ExitReason?, method: String?, version: String?) {
    self.init(time: WallClock.now, kind: kind, message: error.message)
    recovery = error.recovery
    self.method = method
    self.version = version
    if let reason { take(reason) }
    if case .string(let code) = error.details["sandbox"] { stage = stage ?? code }
    if case .string(let offered) = error.details["offered"] { protocolVersion = offered }
    if case .string(let evidence) = error.details["wire"] { wire = evidence }
    if case .array(let lines) = error.details["standardError"] {
      standardError = lines.compactMap { if case .string(let line) = $0 { String(line.prefix(1000)) } else { nil } }
    }
  }

  /// What an exit reason tells: its details are the same that an error has.
  private mutating func take(_ reason: ExitReason) {
    self.reason = reason.description
    exit = reason.kind
    let details = reason.details
    if case .integer(let number) = details["status"] { status = Int32(clamping: number) }
    if case .integer(let number) = details["signal"] { signal = Int32(clamping: number) }
    if case .integer(let number) = details["errno"] { errno = Int32(clamping: number) }
    if case .string(let name) = details["stage"] { stage = name }
    if case .string(let path) = details["folder"] { folder = path }
    if case .integer(let figure) = details["figure"], case .integer(let ceiling) = details["ceiling"],
      case .string(let unit) = details["unit"]
    {
      measure = HealthRecord.Measure(figure: figure, ceiling: ceiling, unit: unit)
    }
  }
}
