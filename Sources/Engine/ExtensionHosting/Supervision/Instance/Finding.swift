import ExtensionProtocol
import JSON
import Time

/// A failure of a process as the host observed it: how it ended, which answer was late, which answer was wrong.
///
/// Only the host creates findings, from its own observations. An extension may put anything into an error, so nothing
/// from such an error becomes a finding, and only a finding is stored as a failure.
struct Finding: Sendable {
  var kind: FailureKind
  var code: ExtensionError.Code
  /// What failed, in one sentence; safe to print.
  var message: String
  /// What the reader can do; `nil` for the advice of the error code.
  var recovery: String?
  /// The call that was open.
  var method: String?
  /// How the process ended, if it did.
  var reason: ExitReason?
  /// The deadline that passed.
  var deadline: HealthRecord.Deadline?
  /// The broken rule of the protocol, as one word.
  var violation: String?
  /// The protocol version that it offered instead of one of the host's; safe to print.
  var offered: String?
  /// The unexpected text from the wire; safe to print.
  var wire: String?
  /// The last lines of standard error; safe to print.
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
  /// Creates the stored failure from a finding.
  init(_ finding: Finding, version: String?) {
    self.init(time: UnixTime.now.fractionalSeconds, kind: finding.kind, message: finding.message)
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
    measure = reason.measure
    switch reason {
    case .exited(let number): status = number
    case .crashed(let number), .crashedNearCeiling(let number, _, _): signal = number
    case .launchFailed(let name, let number): (stage, errno) = (name, number)
    case .diskQuota(let excess): folder = excess.folder
    default: break
    }
  }
}
