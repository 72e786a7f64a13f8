package import CLinux

/// A user with whose rights files are opened for somebody who asks for it, in place of this process's own.
///
/// A host that runs as root may open everything. What an extension names is opened with the rights of the extension's own
/// user, so that a service gives it no file that its sandbox does not.
package struct FileUser: Sendable, Equatable {
  /// The number of the user.
  package let user: UInt32
  /// The number of its group; it has no other.
  package let group: UInt32

  /// Creates a user from its numbers.
  package init(user: UInt32, group: UInt32) { (self.user, self.group) = (user, group) }
}

extension FileUser? {
  /// What the calls below a folder take; without a user the rights are the process's own.
  package var rights: clinux_user {
    clinux_user(is_set: self != nil, user: self?.user ?? 0, group: self?.group ?? 0)
  }
}
