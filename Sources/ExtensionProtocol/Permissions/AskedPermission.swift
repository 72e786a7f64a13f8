import PropertyList

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

extension Manifest {
  /// What the user has to agree to, in the order of ``PermissionKind/all``.
  public var askedPermissions: [AskedPermission] {
    var asked: [AskedPermission] = []
    if !networkHosts.isEmpty {
      asked.append(AskedPermission(PermissionKind.network.name, scope: networkHosts.map(\.description)))
    }
    if point == .keyboard, attributes["RequestsOpenAccess"]?.boolValue == true {
      asked.append(AskedPermission(PermissionKind.openAccess.name))
    }
    if entitlements.contains(PermissionKind.generatedCode.name) {
      asked.append(AskedPermission(PermissionKind.generatedCode.name))
    }
    return asked
  }
}
