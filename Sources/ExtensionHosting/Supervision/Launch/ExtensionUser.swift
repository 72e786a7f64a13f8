import Glibc

/// The user that an extension runs as when the host runs as root: one for each containing app, never 0.
///
/// The identifiers lie between 1879048192 and 2147483647, which systemd's user and group ranges leave unused, and follow
/// from the app's identifier alone, so that folders keep their owner from run to run.
package struct ExtensionUser: Sendable, Equatable {
  package let uid: UInt32
  package let gid: UInt32

  /// - Returns: `nil` when the host is not root: the extension then runs as the host's own user.
  package static func current(forApp app: String) -> ExtensionUser? {
    geteuid() == 0 ? ExtensionUser(app: app) : nil
  }

  init(app: String) {
    // FNV-1a, 32 bits: stable across builds, unlike Hasher.
    var hash: UInt32 = 2_166_136_261
    for byte in app.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    uid = 1_879_048_192 + hash % 268_435_456
    gid = uid
  }
}
