import ExtensionProtocol

/// What an extension asks for beyond its own folder.
extension RegistryEntry {
  /// The features, app groups and keyboard access that the manifest asks for, each as one word: `content`,
  /// `group.com.example.notes`, `open-access`.
  public var capabilities: Set<String> {
    guard let manifest else { return [] }
    var found = Set(manifest.entitlements).union(manifest.appGroups)
    let openAccess = PermissionKind.openAccess.name
    if manifest.askedPermissions.contains(where: { $0.name == openAccess }) { found.insert(openAccess) }
    return found
  }

  /// What it asks for and was not approved; empty for what was never approved by itself, such as a loose manifest.
  func unapproved(by approvals: [String: Set<String>]) -> Set<String> {
    guard bundlePath != nil, let approved = approvals[identifier] else { return [] }
    return capabilities.subtracting(approved)
  }
}
