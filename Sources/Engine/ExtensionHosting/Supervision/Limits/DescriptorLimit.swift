import JSON
import ExtensionProtocol
import Files
import Glibc

/// The open descriptors of this process, of which each extension that runs takes five: its standard input, output and
/// error, the launcher's socket, and the process itself.
package enum DescriptorLimit {
  /// The descriptors that a running extension uses.
  static let ofExtension = 5
  /// The descriptors that are reserved for running extensions: measurements, granted files, the services' own files,
  /// and other uses of the program.
  static let reserve = 48

  /// Raises the soft limit as far as is wanted, and to the hard one at most. A launcher inherits it, and sets that of its
  /// extension: never above what the policy says.
  package static func raise(to wanted: Int = .max) {
    guard var limit = current else { return }
    let most = min(limit.rlim_max, rlim_t(clamping: wanted))
    guard limit.rlim_cur < most else { return }
    limit.rlim_cur = most
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// The soft limit.
  package static var soft: Int { current.map { Int(clamping: $0.rlim_cur) } ?? .max }

  private static var current: rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }

  /// How many are open; looks through a folder of `/proc`.
  static var used: Int { Folder.names(in: "/proc/self/fd").count }

  /// Checks whether the host has descriptors for one more extension. The kernel assigns the lowest free number, so a
  /// high number means that all lower ones are in use.
  ///
  /// - Throws: `limitExceeded`, with the limit.
  static func check(for identity: Caller.Identity) throws(ExtensionError) {
    let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if lowest >= 0 { close(lowest) }
    guard lowest < 0 || Int(lowest) + 2 * ofExtension + reserve > soft else { return }
    throw exceeded(identity)
  }

  static func exceeded(_ identity: Caller.Identity) -> ExtensionError {
    ExtensionError(
      .limitExceeded,
      "\(identity.displayName) was not started: nearly all of the \(soft) descriptors that this program may have are in use.",
      recovery:
        "Raise the limit (ulimit -Hn, or LimitNOFILE= in a systemd unit; an extension takes \(ofExtension)), or run fewer extensions at once.",
      details: ["extension": .string(identity.id), "descriptors": .integer(Int64(clamping: soft))])
  }
}
