import BundleSeals
import EventLoop
package import ExtensionHosting
import ExtensionProtocol
import JSON

extension BundleStore {
  /// Tries a bundle that was just registered: starts its extensions, for example. What it throws is the reason why the
  /// version of before is used again.
  public typealias Trial = @Sendable (_ installed: Installed) async throws -> Void

  /// A signed bundle that is installed.
  struct SignedVersion: Sendable {
    let identifier: String
    let version: String
    let team: String
  }

  /// The signed bundles that the record names.
  func signedVersions() throws(ExtensionError) -> [SignedVersion] {
    let record = try RegistryRecord.load(from: recordPath)
    return record.bundles.compactMap { bundle in
      guard let signature = bundle.signature, let manifest = try? SealedManifest(bundle: bundle.path) else {
        return nil
      }
      // A team that has another root key now is the same team.
      let team = record.successors[signature.team] ?? signature.team
      return SignedVersion(identifier: bundle.identifier, version: manifest.version, team: team)
    }
  }

  /// Whether the record holds already what a statement of a team says.
  func knows(_ statement: [UInt8]) throws(ExtensionError) -> Bool {
    let record = try RegistryRecord.load(from: recordPath)
    if let revocation = try? Revocation(document: statement) {
      return record.revoked[RegistryRecord.revocationKey(revocation.revoked, of: revocation.team)] != nil
    }
    if let rotation = try? RootRotation(document: statement) { return record.successors[rotation.team] != nil }
    return false
  }

  /// A bundle that is not what the index said of it is another one, however well it is signed.
  static func compare(_ copy: BundleCopy, with offer: ExtensionIndex.Offer) throws(ExtensionError) {
    let found = [copy.manifest.identifier, copy.manifest.version, copy.signature.team, copy.signature.digest]
    let said = [offer.identifier, offer.version, offer.team.team, offer.digest]
    guard found != said else { return }
    throw ExtensionError(
      .extensionInvalid,
      "The index offers \(offer.identifier) \(offer.version) of \(offer.team.shown), and the bundle is "
        + "\(copy.manifest.identifier) \(copy.manifest.version) of \(copy.signature.shown).",
      recovery: "Nothing was installed. Tell who publishes the index.")
  }

  /// Tries what was registered; the record of before comes back when that fails.
  ///
  /// - Parameter former: the record of before; `nil` when there is no way back: another team's data was put aside.
  func trial(
    _ trial: Trial, of installed: Installed, _ copy: BundleCopy, former: RegistryRecord?
  ) async throws(ExtensionError) {
    do {
      try await trial(installed)
    } catch {
      let reason = ExtensionError(wrapping: error)
      let present = (former?.bundles ?? []).filter { $0.identifier == installed.identifier && $0.path != copy.path }
      guard let former, !present.isEmpty else {
        if former?.bundles.contains(where: { $0.path == copy.path }) != true {
          try await forget(
            copy, installed.identifier, isFirst: former.map { $0.teams[installed.identifier] == nil } ?? false)
        }
        throw reason
      }
      try await RegistryRecord.update(at: recordPath) { record throws(ExtensionError) in
        _ = record.remove(bundle: copy.path)
        for bundle in present {
          try record.add(
            bundle: bundle.path, identifier: bundle.identifier, signature: bundle.signature, at: bundle.added)
        }
        for entry in copy.entries {
          if let approved = former.approvals[entry.identifier] {
            record.approve(approved, for: entry.identifier)
          } else {
            record.forgetApproval(of: entry.identifier)
          }
        }
      }
      throw ExtensionError(
        reason.code,
        "\(installed.identifier) \(installed.version) does not start, and \(installed.replaced ?? "the version of before") "
          + "is used again. \(reason.message)",
        recovery: "Ask its team for a corrected version.", details: ["rolledBack": true])
    }
  }

  /// Takes a copy out of the record that came in place of nothing: its folder is about to go.
  private func forget(_ copy: BundleCopy, _ identifier: String, isFirst: Bool) async throws(ExtensionError) {
    try await RegistryRecord.update(at: recordPath) { record throws(ExtensionError) in
      _ = record.remove(bundle: copy.path)
      for entry in copy.entries { record.forgetApproval(of: entry.identifier) }
      // Data that was handed over stays the new team's.
      if isFirst { record.pin(identifier, to: nil) }
    }
  }

  /// Runs what may block on a thread of its own.
  static func quietly(_ work: @escaping @Sendable () -> Void) async {
    await SystemThread.run(name: "annex-bundles") { work() }
  }
}

extension RegistryEntry {
  /// Where an extension gets to and what runs it, each as one phrase: `network api.example.com`, `program /usr/bin/python3`.
  package var reaches: Set<String> {
    guard let manifest else { return [] }
    var found = Set(manifest.askedPermissions.flatMap { asked in asked.scope.map { "\(asked.name) \($0)" } })
    if let interpreter = manifest.interpreter, interpreter.hasPrefix("/") { found.insert("program \(interpreter)") }
    return found
  }
}
