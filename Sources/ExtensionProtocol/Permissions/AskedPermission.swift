/// A permission that a manifest asks for, and how much of it.
public struct AskedPermission: Codable, Sendable, Hashable {
  /// The name of a ``PermissionKind``.
  public var name: String
  /// The parts of the permission that are asked for, in the manifest's words: the hosts of `network`. Empty for a
  /// permission that has no parts.
  public var scope: [String]

  /// - Parameters:
  ///   - name: the name of a ``PermissionKind``.
  ///   - scope: the parts that are asked for, in the manifest's words.
  public init(_ name: String, scope: [String] = []) {
    self.name = name
    self.scope = scope
  }
}

extension ManifestValidator {
  /// What any manifest may ask for, and what one at its point may.
  func readPermissions(_ manifest: inout Manifest) {
    var asked = points.definition(of: manifest.point).manifest.permissions(manifest)
    if !manifest.networkHosts.isEmpty {
      asked.append(AskedPermission(PermissionKind.network.name, scope: manifest.networkHosts.map(\.description)))
    }
    if manifest.entitlements.contains(PermissionKind.generatedCode.name) {
      asked.append(AskedPermission(PermissionKind.generatedCode.name))
    }
    manifest.askedPermissions = PermissionKind.all.flatMap { kind in asked.filter { $0.name == kind.name } }
  }
}
