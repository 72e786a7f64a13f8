package import ExtensionProtocol
import PropertyList

extension ExtensionRegistry {
  /// What is needed to start an extension or a containing app.
  ///
  /// - Throws: `extensionUnknown` with near misses, or `extensionInvalid` with every reason.
  package func launchTarget(_ identifier: String) throws(ExtensionError) -> LaunchTarget {
    let entry = try usable(identifier)
    guard let manifest = entry.manifest, let executable = entry.executablePath else {
      throw ExtensionError(.extensionInvalid, "\(entry.displayName) has no executable.")
    }
    let app = containingApp(of: entry)?.manifest
    var identity = Caller.Identity(
      id: entry.identifier, version: manifest.shortVersion ?? manifest.version.text, displayName: entry.displayName,
      point: manifest.point, containingApp: entry.containingApp ?? entry.identifier,
      groups: manifest.appGroups.filter { app?.appGroups.contains($0) ?? false },
      entitlements: manifest.entitlements, permissions: manifest.askedPermissions)
    identity.contentQueries = manifest.contentQueries
    return LaunchTarget(
      identity: identity, executable: executable, bundle: entry.bundlePath ?? entry.programFolder,
      manifest: entry.manifestPath, interpreter: entry.interpreterPath,
      interpreterArguments: manifest.interpreterArguments,
      framing: manifest.framing, limits: manifest.limits)
  }

  private func usable(_ identifier: String) throws(ExtensionError) -> RegistryEntry {
    if let app = apps.first(where: { $0.identifier == identifier }) { return app }
    return try enabledExtension(identifier)
  }
}
