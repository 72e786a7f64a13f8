package import ExtensionHosting
package import ExtensionProtocol

extension ExtensionRegistry {
  /// The extension that a user names for a command of one point.
  ///
  /// - Throws: what ``enabledExtension(_:)`` throws, and `pointDisallows`.
  package func enabledExtension(_ name: String, at point: ExtensionPoint) throws(ExtensionError) -> RegistryEntry {
    let entry = try enabledExtension(name)
    guard entry.point == point else {
      let wanted = points.definition(of: point)
      throw ExtensionError(
        .pointDisallows,
        "\(name) is not \(wanted.role) but for \(entry.point.map(points.shortName) ?? "no known point").",
        recovery: "Run \"host list --point \(wanted.shortName)\" to see \(wanted.plural).")
    }
    return entry
  }
}
