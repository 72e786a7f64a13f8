import JSON
public import ExtensionProtocol
import Sandbox

extension Caller {
  /// Refuses what is not an app group of the caller's.
  ///
  /// - Throws: `groupNotEntitled` when the manifests do not name the group; `permissionDenied` when it is another app's and
  ///   the user had not granted it when the process was started.
  public func require(group: String) throws(ExtensionError) {
    if isEntitled(toGroup: group) { return }
    let asked = identity.permissions.first { $0.name == PermissionKind.groups.name }
    if let asked, asked.scope.contains(group) {
      let state = process.instance.target.permissions[asked.name] ?? .denied
      throw .foreign(group: group, state, to: identity)
    }
    throw ExtensionError(
      .groupNotEntitled, "\(identity.id) is not entitled to the app group \(group).",
      details: ["group": .string(group)])
  }
}

extension Caller.Identity {
  /// Whether the sandbox lets an extension write in the containers of its app groups.
  public func mayWriteInGroups(_ permissions: PermissionAuthority, points: ExtensionPointTable) -> Bool {
    let openAccess = permissions.states(for: self)[PermissionKind.openAccess.name] == .granted
    return points.definition(of: point).groups.access(openAccess: openAccess) == .readWrite
  }
}
