import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Text

/// Creates the errors of a failed handshake.
enum Handshake {
  /// An error of `initialize`, with what came over the wire instead of an answer.
  static func explain(_ error: ExtensionError, of identity: Caller.Identity, tally: WireTally) -> ExtensionError {
    var error = error
    if error.code == .deadlineExceeded || error.code == .peerExited, let evidence = tally.summary {
      error.message += " \(evidence)"
      error.details["wire"] = .string(evidence)
    }
    if error.code == .deadlineExceeded {
      error.recovery =
        "Make the extension answer \"initialize\" on standard output, in the framing that its manifest names."
    }
    return error
  }

  /// The extension speaks no protocol version of this host.
  static func unsupported(_ version: String, by identity: Caller.Identity) -> Finding {
    let offered = StandardErrorRing.printable(version.prefix(utf8: 100).utf8)
    var finding = Finding(
      .versionMismatch, .versionUnsupported,
      "\(identity.displayName) speaks protocol \(offered); this host speaks "
        + "\(ProtocolVersion.supported.joined(separator: ", ")).",
      method: Initialize.method)
    finding.offered = offered
    return finding
  }

  /// Whose definition of the extension point has to move on; `nil` when the two understand each other.
  static func mismatch(
    _ version: PointVersion, of identity: Caller.Identity, host: PointVersion
  ) -> Finding? {
    guard version.major != host.major else { return nil }
    let name = identity.displayName
    let isOld = version.major < host.major
    var finding = Finding(
      .versionMismatch, .versionUnsupported,
      "\(name) speaks version \(version) of the extension point \(identity.point.rawValue), and this host \(host): "
        + (isOld ? "\(name) has to move." : "the host has to move."),
      method: Initialize.method)
    finding.recovery =
      isOld
      ? "Build \(name) against version \(host.major) of the extension point."
      : "Use a host that speaks version \(version.major) of the extension point, or an older \(name)."
    finding.offered = version.description
    return finding
  }
}

/// The limits as the handshake names them, so that an extension can keep within them.
enum HandshakeLimits {
  static func table(_ limits: ExtensionLimits, _ deadlines: ExtensionHost.Deadlines) -> [String: Int64] {
    [
      "memoryMiB": mebibytes(limits.memory),
      "cpuSeconds": limits.requestCPU.components.seconds,
      "idleCPUSeconds": limits.idleCPU.components.seconds,
      "threads": Int64(clamping: limits.threads),
      "descriptors": Int64(clamping: limits.descriptors),
      "fileMiB": mebibytes(limits.fileSize),
      "containerMiB": mebibytes(limits.containerSize),
      "containerFiles": Int64(clamping: limits.containerFiles),
      "frameBytes": Int64(Connection.Configuration().maximumFrameBytes),
      "handshakeMs": deadlines.handshake.wholeMilliseconds,
      "serviceMs": deadlines.service.wholeMilliseconds,
      "terminationMs": deadlines.termination.wholeMilliseconds,
    ]
  }

  private static func mebibytes(_ bytes: UInt64) -> Int64 { Int64(clamping: bytes >> 20) }
}
