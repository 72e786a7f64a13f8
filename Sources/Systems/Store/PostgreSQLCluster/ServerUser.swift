import Files
import Glibc

/// The user of the server when this process runs as root, which PostgreSQL refuses: Debian's `postgres`, or `nobody`.
struct ServerUser: Equatable {
  let name: String
  let user: UInt32
  let group: UInt32

  /// `nil` for the user of this process.
  static var current: ServerUser? {
    get throws(PostgreSQLClusterError) {
      guard geteuid() == 0 else { return nil }
      for name in ["postgres", "nobody"] {
        if let user = find(name) { return user }
      }
      throw PostgreSQLClusterError(
        .folder, "PostgreSQL does not run as root, and there is no user postgres or nobody.",
        recovery: "Run this as another user.")
    }
  }

  private static func find(_ name: String) -> ServerUser? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 1 << 14)
    guard unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else { return nil }
    return unsafe entry.pw_uid == 0 ? nil : ServerUser(name: name, user: entry.pw_uid, group: entry.pw_gid)
  }

  /// A command as this user, with nothing of root's left.
  func command(_ words: [String], _ options: String...) -> [String] {
    ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--no-new-privs"] + options + words
  }

  /// Whether the user can enter a folder: all users may pass through it and the folders above it.
  func canEnter(_ path: String) -> Bool {
    var path = path
    while true {
      guard let status = FileStatus(path, followsLink: true), status.mode & 0o001 != 0 || status.owner == user else {
        return false
      }
      if path == "/" { return true }
      path = Folder.parent(of: path)
    }
  }

  /// Gives it a folder.
  func own(_ path: String) throws(PostgreSQLClusterError) {
    if unsafe chown(path, user, group) != 0 { throw PostgreSQLClusterError(.cannot("change the owner of", path)) }
  }
}
