/// Why a host ends an extension: the words of `terminate`.
public enum StopReason: String, Sendable, Hashable, CaseIterable {
  /// It has nothing to do.
  case idle
  /// Another version takes its place.
  case update
  /// Memory is short.
  case memory
  /// The host, or the user of it, is done.
  case quit
  /// It took too long.
  case timeout
  /// It is not allowed, or not able, to go on: a permission was withdrawn, the protocol does not fit.
  case policy
  /// The host was told to: `host restart`.
  case host
}

/// Why a host ends an extension by force.
enum KillReason: String, Sendable, Hashable, CaseIterable {
  case handshakeTimeout
  case hung

  /// A clause for ``ExitReason/stopped(_:)``.
  var description: String {
    switch self {
    case .handshakeTimeout: "it did not answer initialize in time"
    case .hung: "it missed two pings in a row"
    }
  }
}
