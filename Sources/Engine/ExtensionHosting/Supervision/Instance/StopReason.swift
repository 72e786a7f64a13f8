/// The reason a host ends an extension, in the words of the method `terminate`.
public enum StopReason: String, Sendable, Hashable, CaseIterable {
  /// The extension has been idle.
  case idle
  /// Another version takes its place.
  case update
  /// Memory is short.
  case memory
  /// The host, or the user of it, is done.
  case quit
  /// The extension exceeded a deadline.
  case timeout
  /// The extension may not, or cannot, continue: a permission was withdrawn, or the protocol does not match.
  case policy
  /// A user restarted the extension: `host restart`.
  case host
}

/// The reason a host kills an extension.
package enum KillReason: String, Sendable, Hashable, CaseIterable {
  /// The extension did not answer `initialize` in time.
  case handshakeTimeout
  /// The extension did not answer pings.
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
