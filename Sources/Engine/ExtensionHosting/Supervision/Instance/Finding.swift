import ExtensionProtocol
import JSON
import Time

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
  /// What it wrote to standard error before it ended, safe to print.
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
