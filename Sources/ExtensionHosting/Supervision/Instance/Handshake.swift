import ExtensionProtocol
import JSONRPC

/// What a failed handshake says.
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

  static func unsupported(_ version: String, by identity: Caller.Identity) -> ExtensionError {
    ExtensionError(
      .versionUnsupported,
      "\(identity.displayName) speaks protocol \(StandardErrorRing.printable(version.utf8)); "
        + "this host speaks \(ProtocolVersion.supported.joined(separator: ", ")).",
      details: [
        "supported": .array(ProtocolVersion.supported.map { .string($0) }),
        "offered": .string(String(StandardErrorRing.printable(version.utf8).prefix(100))),
      ])
  }
}
