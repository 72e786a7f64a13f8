import ExtensionProtocol
import Sandbox

/// The folders that one process of an extension may reach, made and handed over.
struct ExtensionFolders: Sendable {
  let scratch: String
  let container: String
  /// The paths of the containers, by app group.
  let groups: [String: String]
  let groupAccess: SandboxPolicy.Access

  init(
    for target: LaunchTarget, _ access: ExtensionPointDefinition.GroupAccess, in state: StateDirectory,
    _ owners: LaunchOwners
  ) throws(ExtensionError) {
    let identity = target.identity
    groupAccess = access.access(openAccess: target.isGranted(.openAccess))
    container = try state.folder("containers/\(identity.id)", owner: owners.app)
    var groups: [String: String] = [:]
    for group in identity.groups { groups[group] = try state.folder("groups/\(group)", owner: owners.groups[group]) }
    self.groups = groups
    scratch = try state.scratchFolder(owner: owners.app)
  }

  /// The folders as the handshake names them.
  var directories: Initialize.Directories {
    Initialize.Directories(
      scratch: scratch, container: container,
      groups: groups.mapValues { .init(path: $0, mode: groupAccess == .readWrite ? "rw" : "ro") })
  }
}
