import CommandLineTool
import ExtensionHosting
import JSON
import Sandbox

/// How a confined program ended, for people, for scripts and for the shell.
struct ConfinedOutcome: Equatable, Sendable {
  enum End: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// The launcher could not set the sandbox up; the program did not run.
    case refused(LaunchFailure)
    /// It used more than the point allows, and was ended by force.
    case limited(ExitReason)
    /// The user asked for the end.
    case stopped
    /// Nobody saw how it ended.
    case lost
  }

  let end: End
  let tier: SandboxTier
  let seconds: Double
  /// What it wrote, when that was asked for instead of passing it on.
  var output: CapturedText?
  var errors: CapturedText?

  /// The program's own status; 128 and its number for a signal, as shells count.
  var status: ExitStatus {
    switch end {
    case .exited(let code): ExitStatus(rawValue: code)
    case .signalled(let number): ExitStatus(rawValue: 128 + number)
    case .limited: ExitStatus(rawValue: 128 + 9)
    case .refused: .unavailable
    case .stopped: ExitStatus(rawValue: 130)
    case .lost: .software
    }
  }

  /// What there is to say about it, nil for a program that returned.
  var reason: String? {
    switch end {
    case .exited: nil
    case .signalled(let number): "It was ended by \(SignalName.of(number))."
    case .limited(let limit): "It \(limit.description)."
    case .refused(let failure): SandboxError.launchFailed(failure).message
    case .stopped: "It was stopped."
    case .lost: "The sandbox was ended from outside."
    }
  }

  var document: JSONObject {
    var object: JSONObject = ["tier": .string(tier.rawValue), "seconds": .double(seconds)]
    switch end {
    case .exited(let code): object["exit"] = .integer(Int64(code))
    case .signalled(let number): object["signal"] = .integer(Int64(number))
    case .limited(let limit):
      object["limit"] = .object(
        JSONObject(limit.details.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    case .refused(let failure):
      object["stage"] = .string("\(failure.stage)")
      object["errno"] = .integer(Int64(failure.errorNumber))
    case .stopped, .lost: break
    }
    if let reason { object["reason"] = .string(reason) }
    for (name, text) in [("output", output), ("errors", errors)] {
      guard let text else { continue }
      object[name] = .string(text.text)
      if text.dropped > 0 { object["\(name)Dropped"] = .integer(Int64(text.dropped)) }
    }
    return object
  }
}

/// The beginning of a stream, and how much came after it.
struct CapturedText: Equatable, Sendable {
  /// Bytes that are kept.
  static let limit = 1 << 20

  private(set) var bytes: [UInt8] = []
  private(set) var dropped = 0

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ more: [UInt8]) {
    let space = min(more.count, Self.limit - bytes.count)
    bytes += more.prefix(space)
    dropped += more.count - space
  }
}
