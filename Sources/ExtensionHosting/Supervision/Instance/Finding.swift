import ExtensionProtocol
import JSONRPC

/// What the host itself found out of a process that failed: how it ended, what it did not answer in time, what it answered
/// instead of what was asked.
///
/// Only the host makes one, of what it saw. Nothing in it is decoded from an error that an extension answered with, which
/// may say anything of itself; and it alone becomes a failure that is remembered.
struct Finding: Sendable {
  var kind: FailureKind
  var code: ExtensionError.Code
  /// One sentence, safe to print.
  var message: String
  /// What the reader can do; when absent, the advice that the code carries.
  var recovery: String?
  /// The call that was open.
  var method: String?
  /// How the process ended, where it did.
  var reason: ExitReason?
  /// The deadline that passed.
  var deadline: HealthRecord.Deadline?
  /// How it broke the protocol, as one word.
  var violation: String?
  /// The protocol version that it offered instead of one of the host's; safe to print.
  var offered: String?
  /// What came over the wire that should not have; safe to print.
  var wire: String?
  /// The last lines of its standard error, safe to print.
  var standardError: [String] = []
  /// Further facts for programs.
  var details: [String: JSONValue] = [:]

  init(_ kind: FailureKind, _ code: ExtensionError.Code, _ message: String, method: String? = nil) {
    self.kind = kind
    self.code = code
    self.message = message
    self.method = method
  }

  /// The error that a caller gets.
  func error(of identity: Caller.Identity) -> ExtensionError {
    var details = details
    details.merge(reason?.details ?? [:]) { _, new in new }
    details["extension"] = .string(identity.id)
    if !standardError.isEmpty { details["standardError"] = .array(standardError.map { .string($0) }) }
    if let wire { details["wire"] = .string(wire) }
    if let offered {
      details["offered"] = .string(offered)
      details["supported"] = .array(ProtocolVersion.supported.map { .string($0) })
    }
    return ExtensionError(code, message, recovery: recovery, details: details)
  }
}

extension HealthRecord.Failure {
  /// What is remembered of a finding.
  init(_ finding: Finding, version: String?) {
    self.init(time: WallClock.now, kind: finding.kind, message: finding.message)
    recovery = finding.recovery ?? finding.code.recovery
    method = finding.method
    self.version = version
    deadline = finding.deadline
    violation = finding.violation
    protocolVersion = finding.offered
    wire = finding.wire
    standardError = finding.standardError
    if let reason = finding.reason { take(reason) }
  }

  private mutating func take(_ reason: ExitReason) {
    self.reason = reason.description
    exit = reason.kind
    switch reason {
    case .exited(let number): status = number
    case .crashed(let number): signal = number
    case .crashedNearCeiling(let number, let used, let ceiling):
      signal = number
      measure = .init(used, ceiling, "bytes")
    case .launchFailed(let name, let number): (stage, errno) = (name, number)
    case .memory(let used, let ceiling): measure = .init(used, ceiling, "bytes")
    case .cpu(let used, let ceiling, _):
      measure = .init(UInt64(used / .milliseconds(1)), UInt64(ceiling / .milliseconds(1)), "milliseconds")
    case .diskQuota(let excess):
      measure = .init(excess.used, excess.ceiling, excess.unit.rawValue)
      folder = excess.folder
    case .threads(let used, let ceiling): measure = .init(used, ceiling, "threads")
    case .hostMemory(let held, let ceiling): measure = .init(held, ceiling, "bytes")
    // The others have no figure, and no more to tell than their description.
    case .handshakeTimeout, .watchdog, .stopped, .closedOutput, .sandboxEnded, .unknown: break
    }
  }
}

extension HealthRecord.Measure {
  fileprivate init(_ figure: UInt64, _ ceiling: UInt64, _ unit: String) {
    self.init(figure: Int64(clamping: figure), ceiling: Int64(clamping: ceiling), unit: unit)
  }
}
