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

extension ManifestValidator {
  /// What any manifest may ask for, and what one at its point may.
  mutating func readPermissions(_ manifest: inout Manifest) {
    let definition = points.definition(of: manifest.point)
    var asked = definition.manifest.permissions(manifest)
    if !manifest.networkHosts.isEmpty {
      asked.append(AskedPermission(PermissionKind.network.name, scope: manifest.networkHosts.map(\.description)))
    }
    if !manifest.authEntries.isEmpty {
      asked.append(AskedPermission(PermissionKind.auth.name, scope: manifest.authEntries.map(\.description)))
    }
    if !manifest.dataConnectors.isEmpty {
      asked.append(AskedPermission(PermissionKind.data.name, scope: manifest.dataConnectors.map(\.description)))
    }
    if manifest.asksToGenerateCode {
      asked.append(AskedPermission(PermissionKind.generatedCode.name))
    }
    if let allowed = definition.permissions {
      for kind in PermissionKind.all
      where !allowed.contains(kind.name) && asked.contains(where: { $0.name == kind.name }) {
        let names = allowed.isEmpty ? "no permission" : allowed.joined(separator: ", ")
        reader.fail(
          PropertyListKeyPath(kind.manifestKey.split(separator: ".").map { .key(String($0)) }),
          "An extension for \(definition.shortName) may not ask for \(kind.name).",
          "Leave it out; the extension point allows \(names).")
      }
    }
    manifest.askedPermissions = PermissionKind.all.flatMap { kind in asked.filter { $0.name == kind.name } }
  }
}
