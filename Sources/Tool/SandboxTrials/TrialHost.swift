import Glibc
package import Sandbox

/// Who starts the sandboxes of a trial, and which user a hostile program in them has.
package struct TrialHost: Sendable, Hashable {
  /// The user and groups of the host.
  package let identity: HostIdentity
  /// Of the hostile program and of everything it could reach if its sandbox failed: never 0.
  package let userID: UInt32
  /// The group of the hostile program.
  package let groupID: UInt32
  /// Started before the launcher, see `LaunchPlan`: for tests that take rights or facilities away.
  package let wrapper: [String]

  /// Creates a host; `wrapper` is a command that starts the launcher, empty for none.
  package init(identity: HostIdentity, userID: UInt32, groupID: UInt32, wrapper: [String] = []) {
    self.identity = identity
    self.userID = userID
    self.groupID = groupID
    self.wrapper = wrapper
  }

  /// A user that no account has, for a root host that tries its own sandbox.
  private static let unused: UInt32 = 1_879_048_191

  /// The running process.
  package static var current: TrialHost {
    let identity = HostIdentity.current
    return identity.isRoot
      ? TrialHost(identity: identity, userID: unused, groupID: unused)
      : TrialHost(identity: identity, userID: identity.userID, groupID: identity.groupID)
  }

  /// The start of a command that runs outside of any sandbox as the hostile program's user.
  var asUser: [String] {
    guard HostIdentity.current.isRoot else { return [] }
    return ["/usr/bin/setpriv", "--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups", "--no-new-privs"]
  }
}
