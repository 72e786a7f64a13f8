import Glibc

/// The user that runs the host, because a real root sets a sandbox up in another way than an ordinary user.
package struct HostIdentity: Sendable, Hashable {
  package let userID: UInt32
  package let groupID: UInt32

  package init(userID: UInt32, groupID: UInt32) {
    self.userID = userID
    self.groupID = groupID
  }

  /// Root makes namespaces and mounts by its own right and then gives up its ids; everyone else needs a user namespace.
  package var isRoot: Bool { userID == 0 }

  package static var current: HostIdentity { HostIdentity(userID: geteuid(), groupID: getegid()) }
}
