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
package enum KillReason: String, Sendable, Hashable, CaseIterable {
  /// It did not answer `initialize` in time.
  case handshakeTimeout
  /// It missed pings.
  case hung

  /// The end that it leads to.
  var exitReason: ExitReason {
    switch self {
    case .handshakeTimeout: .handshakeTimeout
    case .hung: .watchdog(description)
    }
  }

  /// A clause for people.
  var description: String {
    switch self {
    case .handshakeTimeout: "it did not answer initialize in time"
    case .hung: "it missed two pings in a row"
    }
  }
}
