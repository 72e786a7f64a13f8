import ExtensionProtocol
import Files
import Glibc
package import JSON
import JSONRPC
import Sandbox

extension ExitReason {
  /// A sentence's predicate: `exited with status 3`.
  public var description: String {
    switch self {
    case .exited(0): "exited without an error (status 0)"
    case .exited(let status): "exited with status \(status)"
    case .crashed(let signal): "crashed with \(SignalName.of(signal))"
    case .crashedNearCeiling(let signal, let used, let ceiling):
      "crashed with \(SignalName.of(signal)), after it had used \(ByteText.of(used)) of memory with a ceiling of "
        + ByteText.of(ceiling)
    case .launchFailed(let stage, let errno): "could not be started: \(stage): \(SystemError(errno))"
    case .memory(let used, let ceiling) where used <= ceiling:
      "was ended for its memory: it wanted more than the \(ByteText.of(ceiling)) that are allowed"
    case .memory(let used, let ceiling):
      "was ended for its memory: it used \(ByteText.of(used)), and \(ByteText.of(ceiling)) are allowed"
    case .cpu(let used, let ceiling, let isIdle):
      "was ended for its processor time: it used \(Self.seconds(used)) "
        + "\(isIdle ? "while no request was open" : "for one request"), and \(Self.seconds(ceiling)) are allowed"
    case .diskQuota(let excess): "was ended for its files: \(excess.folder) holds \(excess.description)"
    case .threads(let used, let ceiling):
      "was ended for its threads: it had \(used), and \(ceiling) are allowed"
    case .hostMemory(let held, let ceiling):
      "was ended for the host's memory: it held \(ByteText.of(held)) of it, and \(ByteText.of(ceiling)) are allowed"
    case .handshakeTimeout: "was ended because it did not answer the handshake in time"
    case .watchdog(let why): "was ended by the watchdog: \(why)"
    case .stopped(let why): "was stopped by the host: \(why)"
    case .closedOutput: "closed its standard output"
    case .sandboxEnded: "is gone with its sandbox, which something else than the host ended"
    case .unknown: "is gone"
    }
  }

  /// What the reader can do; `nil` when the advice of the error code is enough.
  public var recovery: String? {
    switch self {
    case .memory, .crashedNearCeiling: "Make the extension use less memory."
    case .cpu(_, _, let isIdle):
      isIdle
        ? "Make the extension wait for requests instead of working between them."
        : "Look for an endless loop in the handler, or make it do less for one request."
    case .diskQuota(let excess): DiskQuota.recovery(excess)
    case .threads: "Make the extension start fewer threads."
    case .hostMemory:
      "Make the extension send less before it waits for answers, and smaller answers; or raise heldMemory in the host's "
        + "configuration."
    case .launchFailed(let name, let errno):
      LaunchStage.allCases.first { "\($0)" == name }.map { LaunchFailure(stage: $0, errorNumber: errno).recovery }
    default: nil
    }
  }

  /// The details of an error: `reason` is ``kind``; `figure`, `ceiling` and `unit` stand there for a limit, `signal`,
  /// `status` or `stage` for an end without one.
  package var details: [String: JSONValue] {
    var details: [String: JSONValue] = ["reason": .string(kind)]
    if let measure {
      details["figure"] = .integer(measure.figure)
      details["ceiling"] = .integer(measure.ceiling)
      details["unit"] = .string(measure.unit)
    }
    switch self {
    case .exited(let status): details["status"] = .integer(Int64(status))
    case .crashed(let signal), .crashedNearCeiling(let signal, _, _): details["signal"] = .integer(Int64(signal))
    case .launchFailed(let stage, let errno):
      details["stage"] = .string(stage)
      details["errno"] = .integer(Int64(errno))
    case .diskQuota(let excess): details["folder"] = .string(excess.folder)
    default: break
    }
    return details
  }

  /// The used and the permitted amount, if the process was ended for exceeding a limit.
  var measure: HealthRecord.Measure? {
    func measure(_ figure: UInt64, _ ceiling: UInt64, _ unit: String) -> HealthRecord.Measure {
      HealthRecord.Measure(figure: Int64(clamping: figure), ceiling: Int64(clamping: ceiling), unit: unit)
    }
    return switch self {
    case .crashedNearCeiling(_, let used, let ceiling), .memory(let used, let ceiling),
      .hostMemory(let used, let ceiling):
      measure(used, ceiling, "bytes")
    case .cpu(let used, let ceiling, _):
      measure(UInt64(used / .milliseconds(1)), UInt64(ceiling / .milliseconds(1)), "milliseconds")
    case .diskQuota(let excess): measure(excess.used, excess.ceiling, excess.unit.rawValue)
    case .threads(let used, let ceiling): measure(used, ceiling, "threads")
    // The others have no figure, and no more to tell than their description.
    case .exited, .crashed, .launchFailed, .handshakeTimeout, .watchdog, .stopped, .closedOutput, .sandboxEnded,
      .unknown:
      nil
    }
  }

  /// Creates the reason from an excess of memory that the host keeps for a peer.
  init(_ excess: PeerLedger.Excess) {
    self = .hostMemory(held: UInt64(clamping: excess.held), ceiling: UInt64(clamping: excess.ceiling))
  }

  /// The advice for an extension, with the key of the manifest that raises the limit where there is one.
  ///
  /// - Parameter largest: what the extension point allows, whatever the manifest says.
  func recovery(of target: LaunchTarget, within largest: ExtensionLimits) -> String? {
    let limit: (key: String, own: Int?, most: UInt64, unit: String)
    switch self {
    case .memory, .crashedNearCeiling: limit = ("MemoryMiB", target.limits.memoryMiB, largest.memory >> 20, " MiB")
    case .cpu(_, _, isIdle: false):
      limit = ("CPUSeconds", target.limits.cpuSeconds, UInt64(clamping: largest.requestCPU.components.seconds), " s")
    case .threads: limit = ("Threads", target.limits.threads, largest.threads, " threads")
    default: return recovery
    }
    guard let work = recovery else { return nil }
    if let own = limit.own, UInt64(clamping: own) < limit.most {
      let place = target.manifest.map { " in \($0)" } ?? ""
      return "\(work) Or raise Annex.Limits.\(limit.key)\(place), which is \(own), up to \(limit.most)."
    }
    return
      "\(work) Its extension point allows \(limit.most)\(limit.unit) at most; Annex.Limits.\(limit.key) lowers that, "
      + "and only the program that hosts it can raise it (ExtensionHost.Configuration.limits)."
  }

  static func seconds(_ duration: Duration) -> String {
    let tenths = Int64((duration / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}

/// A number of bytes for people: in MiB with one decimal, or KiB below one.
package enum ByteText {
  /// Returns a number of bytes as `812 KiB` or `3.4 MiB`.
  package static func of(_ bytes: UInt64) -> String {
    if bytes < 1 << 20 { return "\((bytes + 1023) >> 10) KiB" }
    let tenths = (bytes / 1024 * 10 + 512) / 1024
    return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
  }
}

/// The name of a signal, for people.
package enum SignalName {
  private static let names: [Int32: String] = [
    SIGABRT: "SIGABRT (abort)", SIGBUS: "SIGBUS (bad memory access)", SIGFPE: "SIGFPE (arithmetic)",
    SIGILL: "SIGILL (trap)", SIGKILL: "SIGKILL (killed)", SIGSEGV: "SIGSEGV (bad memory access)",
    SIGSYS: "SIGSYS (forbidden system call)", SIGTERM: "SIGTERM (terminated)", SIGTRAP: "SIGTRAP (trap)",
    SIGXCPU: "SIGXCPU (processor time limit)", SIGXFSZ: "SIGXFSZ (file size limit)", SIGPIPE: "SIGPIPE (broken pipe)",
  ]

  package static func of(_ signal: Int32) -> String { names[signal] ?? "signal \(signal)" }
}
