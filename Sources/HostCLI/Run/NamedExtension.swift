package import ExtensionHosting
package import ExtensionProtocol

extension ExtensionRegistry {
  /// The extension that a user names for a command of one point.
  ///
  /// - Parameters:
  ///   - requirement: what it has to be, for a sentence: `a keyboard`.
  ///   - others: what the list of the point shows, for a sentence: `the keyboards`.
  /// - Throws: what ``enabledExtension(_:)`` throws, and `pointDisallows`.
  package func enabledExtension(
    _ name: String, at point: ExtensionPoint, requirement: String, others: String
  ) throws(ExtensionError) -> RegistryEntry {
    let entry = try enabledExtension(name)
    guard entry.point == point else {
      throw ExtensionError(
        .pointDisallows, "\(name) is not \(requirement) but for \(entry.point?.shortName ?? "no known point").",
        recovery: "Run \"host list --point \(point.shortName)\" to see \(others).")
    }
    return entry
  }
}
