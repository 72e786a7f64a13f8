package import ExtensionProtocol
import Sandbox

extension Caller {
  /// Whether the caller may write to its app groups: to their suites, and in their containers. A keyboard may with the
  /// user's open access only.
  package var mayWriteToGroups: Bool {
    SandboxProfile.of(identity.point).groupAccess(openAccess: identity.hasOpenAccess) == .readWrite
  }
}

extension StateDirectory {
  /// The folder of an app group, made when it is not there and given to the user that the app's extensions run as.
  package func groupFolder(_ group: String, for identity: Caller.Identity) throws(ExtensionError) -> String {
    try folder("groups/\(group)", owner: ExtensionUser.current(forApp: identity.containingApp))
  }
}
