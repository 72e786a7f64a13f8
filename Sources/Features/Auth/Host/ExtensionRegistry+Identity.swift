package import ExtensionHosting
package import ExtensionProtocol

extension ExtensionRegistry {
  /// Returns the identity server in the manifest of an app; nil when the app names none, or is not known.
  ///
  /// An app whose executable is missing, or that a user ignores, keeps its identity server: otherwise its extensions would
  /// sign in at the server of the configuration, and send it what they have for the app's own.
  ///
  /// - Throws: `extensionInvalid` for an app whose manifest has faults: nothing says where its users sign in.
  package func identity(ofApp app: String) throws(ExtensionError) -> Manifest.Identity? {
    let all = entries.filter { $0.isApp && $0.identifier == app }
    guard let entry = all.first(where: \.isEnabled) ?? all.first(where: { $0.manifest != nil }) ?? all.first else {
      return nil
    }
    if let manifest = entry.manifest { return manifest.identity }
    throw ExtensionError(
      .extensionInvalid, "The app \(app) cannot be used: \(entry.reasons.first ?? entry.state.name)",
      recovery: entry.faults.first?.recovery ?? "Correct the manifest of the app.", details: ["id": .string(app)])
  }
}
