package import ExtensionProtocol
import Sandbox

extension Caller.Identity {
  /// Whether the sandbox lets an extension write in the containers of its app groups.
  package func mayWriteInGroups(_ permissions: PermissionAuthority, points: ExtensionPointTable) -> Bool {
    let openAccess = permissions.states(for: self)[PermissionKind.openAccess.name] == .granted
    return points.definition(of: point).groups.access(openAccess: openAccess) == .readWrite
  }
}

extension StateDirectory {
  /// The folder of an app group, made when it is not there and given to the user that the app's extensions run as.
  package func groupFolder(_ group: String, for identity: Caller.Identity) throws(ExtensionError) -> String {
    try folder("groups/\(group)", owner: ExtensionUser.current(forApp: identity.containingApp))
  }
}
