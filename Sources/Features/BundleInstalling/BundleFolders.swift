import BundleSeals
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import Sandbox
import Time

/// The folders of a store: one for each sealed bundle, named by its digest, and those of copies that are being made.
package struct BundleFolders {
  private static let staging = ".new-"
  let path: String

  init(_ path: String) { self.path = path }

  /// A new folder for a copy that is being made.
  func stagingFolder() throws(FileError) -> String {
    try Folder.makeTemporary(beginning: "\(path)/\(Self.staging)\(ProcessIdentity.current.text)-")
  }

  /// Removes what no record names: bundles of before, and copies of processes that were killed.
  ///
  /// The version before the last is kept: processes of it may run.
  func sweep(_ record: RegistryRecord) {
    let used = Set(record.bundles.map { Folder.name(of: Folder.parent(of: $0.path)) })
    for name in Folder.names(in: path) {
      let isStaging = name.hasPrefix(Self.staging)
      guard isStaging || KeyFingerprint.isOne(name), !used.contains(name) else { continue }
      // The caller has the lock of the store, so nobody else is making a copy.
      let age = UnixTime.now.fractionalSeconds - (FileStatus("\(path)/\(name)")?.modified ?? 0)
      guard isStaging || age > Self.patience else { continue }
      Self.remove("\(path)/\(name)")
    }
  }

  /// Seconds for which a bundle that is used no longer is kept, from ``StoredBundle/leave(_:in:)`` on.
  private static let patience = 86_400.0

  /// Removes a folder of the store. Its own folders are read-only, and no ordinary user can remove what is in them.
  package static func remove(_ path: String) {
    for (name, shape) in SealedTree(path, leavingOut: "").shapes {
      if case .folder = shape { try? File.setMode(name == "." ? path : "\(path)/\(name)", 0o700) }
    }
    try? Folder.remove(path)
  }
}

/// A verified copy of a bundle in a store; no record names it yet.
struct BundleCopy: Sendable {
  /// The folder `bundles/<digest>`.
  let folder: String
  /// The bundle in it.
  let path: String
  /// What the bundle has: the app first, then its extensions.
  let entries: [RegistryEntry]
  /// Warnings.
  let problems: [ManifestProblem]
  let manifest: SealedManifest
  let signature: BundleSignature
  /// Whether the store did not have it before.
  let isNew: Bool
  private let points: ExtensionPointTable

  /// Copies what the seal lists and nothing else, comparing the very bytes that are copied; then looks the copy over.
  ///
  /// - Throws: the refusal of a bundle that is not whole, or not acceptable; `FileError`, `SealError`.
  init(_ source: String, to store: String, _ record: RegistryRecord, _ points: ExtensionPointTable) throws {
    self.points = points
    let folders = BundleFolders(store)
    let staging = try folders.stagingFolder()
    var isKept = false
    defer { if !isKept { BundleFolders.remove(staging) } }
    let name = Folder.name(of: source)
    let copy = "\(staging)/\(name)"
    try Folder.make(copy)
    let check = try SealCheck(source, BundleStore.expectation(record, team: nil), copy: copy)
    let judgement = SealJudgement(check, of: source, owner: nil)
    if let refusal = judgement.refusal { throw refusal }
    guard judgement.state == .whole, let seal = check.seal else {
      throw ExtensionError(
        .extensionInvalid, "\(name) is unsigned, and the store takes signed bundles only.",
        recovery: "Sign it with “host sign”, or register it where it lies.", details: judgement.details)
    }
    manifest = try SealedManifest(bundle: copy)
    folder = "\(store)/\(seal.statement.digest)"
    path = "\(folder)/\(name)"
    isNew = !Folder.isFolder(folder)
    if isNew {
      try File.setMode(staging, 0o755)
      Folder.synchronize(copy)
      guard rename(staging, folder) == 0 else { throw FileError.cannot("move the copy to", folder) }
      Folder.synchronize(store)
      isKept = true
    } else if try SealCheck(path, BundleStore.expectation(record, team: nil)).state != .whole {
      // Somebody changed what is there: the good copy takes its place.
      BundleFolders.remove(folder)
      try File.setMode(staging, 0o755)
      guard rename(staging, folder) == 0 else { throw FileError.cannot("move the copy to", folder) }
      isKept = true
    }
    let verification = try BundleVerification(path, beside: record, points: points)
    guard verification.isAcceptable else {
      let errors = verification.problems.filter { $0.severity == .error }
      if isNew { BundleFolders.remove(folder) }
      throw ExtensionError(
        .extensionInvalid, "\(name) was not installed: it has \(errors.count) error\(errors.count == 1 ? "" : "s").",
        recovery: "Ask its team for a corrected bundle: “host verify” names what is wrong.",
        cause: errors.map(\.description))
    }
    entries = verification.entries
    problems = verification.problems
    let certificate = seal.certificate
    signature = BundleSignature(
      team: certificate.team, name: certificate.name, key: certificate.signer, digest: seal.statement.digest,
      stamps: Self.stamps(seal, path, verification.entries))
  }

  /// What tells whether the files that starts stand on are still the same: manifests, programs, scripts and libraries.
  private static func stamps(_ seal: BundleSeal, _ path: String, _ entries: [RegistryEntry]) -> [String: String] {
    let programs = Set(entries.flatMap { [$0.executablePath, $0.interpreterPath].compactMap(\.self) })
    var stamps: [String: String] = [:]
    for (name, entry) in seal.resources.entries {
      guard case .file(let mode, _, _) = entry else { continue }
      let whole = "\(path)/\(name)"
      let isLibrary = name.hasSuffix(".so") || name.contains(".so.")
      guard mode & 0o111 != 0 || isLibrary || name.hasSuffix("Info.plist") || programs.contains(whole) else { continue }
      if let stamp = FileStamp(whole) { stamps[name] = stamp.text }
    }
    return stamps
  }

  /// What bundles that are there have.
  func entries(of present: [RegistryRecord.Bundle]) -> [RegistryEntry] {
    ExtensionRegistry(RegistrySources(bundles: present.map(\.path)), points: points).entries
  }
}

/// What an app keeps in a state directory, as far as it lies in folders of its own.
struct BundleData {
  private let state: StateDirectory
  /// The identifiers of all apps: the longest that begins an extension's own is its app's.
  private let apps: Set<String>

  init(_ state: StateDirectory, _ record: RegistryRecord) {
    self.state = state
    apps = Set(record.bundles.map(\.identifier)).union(record.teams.keys)
  }

  private static let kinds = ["containers", "auth", "health", "snapshots", "statistics", "widgets"]

  /// Moves the folders of an app and its extensions aside, and those that another team had back into their places. When it
  /// was interrupted, it goes on where it was.
  ///
  /// - Returns: the identifiers of the app and of all its extensions that have a folder, or had one.
  /// - Throws: `FileError`, `ExtensionError`.
  func handOver(_ app: String, from old: String, to new: String) throws -> [String] {
    // What lies in the places then is the new team's, or nobody's.
    if FileStatus(try marker(app, old)) == nil {
      try move(of: app) { kind, name in ("\(state.path)/\(kind)/\(name)", "\(try folder(old, kind))/\(name)") }
      try File.replace(try marker(app, old), with: [], isDurable: true)
    }
    try move(of: app) { kind, name in ("\(try folder(new, kind))/\(name)", "\(state.path)/\(kind)/\(name)") }
    var ids: Set<String> = [app]
    for kind in Self.kinds {
      for place in ["\(state.path)/\(kind)", try folder(old, kind)] {
        for name in Folder.names(in: place) where isOf(name, app) {
          ids.insert(name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name)
        }
      }
    }
    return ids.sorted()
  }

  /// A hand-over is done, and the record says so.
  func forgetHandover(_ app: String, from old: String) throws { File.remove(try marker(app, old)) }

  private func marker(_ app: String, _ team: String) throws -> String {
    "\(try state.folder("other-teams/\(team.isEmpty ? "unsigned" : team)"))/\(app).moved"
  }

  /// Moves what an app has in folders of every kind. What is in the way there stays.
  private func move(of app: String, _ way: (_ kind: String, _ name: String) throws -> (String, String)) throws {
    for kind in Self.kinds {
      _ = try state.folder(kind)
      let source = Folder.parent(of: try way(kind, app).0)
      for name in Folder.names(in: source) where isOf(name, app) {
        let (from, to) = try way(kind, name)
        guard FileStatus(to) == nil else { continue }
        guard rename(from, to) == 0 else { throw FileError.cannot("move \(from) to", to) }
      }
    }
  }

  private func isOf(_ name: String, _ app: String) -> Bool {
    func begins(_ app: String) -> Bool { name == app || name.hasPrefix("\(app).") }
    return begins(app) && !apps.contains { $0.hasPrefix("\(app).") && begins($0) }
  }

  private func folder(_ team: String, _ kind: String) throws -> String {
    try state.folder("other-teams/\(team.isEmpty ? "unsigned" : team)/\(kind)")
  }
}
