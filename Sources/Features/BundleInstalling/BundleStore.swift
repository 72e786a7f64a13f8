import BundleSeals
import EventLoop
public import ExtensionHosting
public import ExtensionProtocol
import Files
import Glibc
public import HostServices
import JSON
import Sandbox
import SharedFiles
import Time

/// The bundles that a host has verified and copied: folders that only the host writes, `bundles/<digest>` in the state
/// directory, and what it remembers of them in the registry's record.
///
/// Whatever interrupts a change, the record names the bundle of before or the new one, and both are whole. What a change
/// that was interrupted left behind is removed by the next one.
///
/// ```swift
/// let store = BundleStore(state: state)
/// let added = try await store.add("/tmp/Notes.app") { question in await ask(question.sentence) }
/// ```
public struct BundleStore: Sendable {
  /// Decides about a question; true agrees.
  public typealias Decision = @Sendable (BundleQuestion) async throws -> Bool

  /// A bundle that was installed.
  public struct Installed: Sendable {
    /// The identifier of the app or the lone extension.
    public let identifier: String
    /// The version, `CFBundleVersion`.
    public let version: String
    /// The bundle in the store.
    public let path: String
    /// Who signed it.
    public let team: BundleTeam
    /// Warnings that were found when the bundle was checked.
    public let problems: [ManifestProblem]
    /// The version that it takes the place of; `nil` for a first installation.
    public let replaced: String?
  }

  /// The state directory.
  public let state: StateDirectory
  let points: ExtensionPointTable

  /// The store of a state directory.
  ///
  /// - Parameters:
  ///   - state: the state directory; the store is its folder `bundles`, the record its file `registry.json`.
  ///   - points: the extension points that manifests may be for.
  public init(state: StateDirectory, points: ExtensionPointTable = Features.points) {
    (self.state, self.points) = (state, points)
  }

  /// The path of the registry's record.
  public var recordPath: String { "\(state.path)/registry.json" }

  // MARK: Looking

  /// Compares a bundle with its seal, and with the team that its identifier belongs to. Reads every file of it.
  ///
  /// - Throws: `extensionInvalid` when there is no such folder, `storeFailed` when the record cannot be read.
  public func judge(_ bundle: String) async throws(ExtensionError) -> SealJudgement {
    let path = try Self.resolved(bundle)
    let record = try RegistryRecord.load(from: recordPath)
    let expected = (try? SealedManifest(bundle: path)).flatMap { record.teams[$0.identifier] }
    return try await Self.onThread {
      let check = try SealCheck(path, Self.expectation(record, team: expected?.team))
      return SealJudgement(check, of: path, owner: expected)
    }
  }

  static func expectation(_ record: RegistryRecord, team: String?) -> SealCheck.Expectation {
    SealCheck.Expectation(
      team: team.flatMap { $0.isEmpty ? nil : $0 }, revoked: record.revoked, time: UnixTime.now.seconds)
  }

  private static func resolved(_ bundle: String) throws(ExtensionError) -> String {
    var alone = RegistryRecord()
    try alone.add(bundle: bundle)
    return alone.bundles[0].path
  }

  static func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws(ExtensionError) -> Value {
    let outcome = await SystemThread.run(name: "annex-bundles") { Result { try work() } }
    do { return try outcome.get() } catch { throw Self.error(error) }
  }

  static func error(_ error: any Error) -> ExtensionError {
    switch error {
    case let error as ExtensionError: error
    case let error as SealError:
      ExtensionError(error.kind == .system ? .storeFailed : .extensionInvalid, error.message, recovery: error.recovery)
    case let error as FileError: ExtensionError(error)
    default: ExtensionError(wrapping: error)
    }
  }

  // MARK: Installing

  /// Verifies a signed bundle, copies it into the store, and registers the copy in place of other versions of the same team.
  ///
  /// - Parameters:
  ///   - bundle: a folder that ends in `.app` or `.appex`.
  ///   - decision: asked when the identifier is another team's, and when a version asks for more than was approved.
  /// - Throws: `extensionInvalid` for a bundle that is not as it was signed, expired, unsigned, not acceptable or older than
  ///   the one that is there; `permissionDenied` for one that was revoked, and when the answer is no; `storeFailed` when
  ///   something cannot be written. What was installed before is used then as before.
  public func add(_ bundle: String, deciding decision: Decision) async throws(ExtensionError) -> Installed {
    try await add(bundle, expecting: nil, trying: nil, deciding: decision)
  }

  /// The same, of a bundle that an index has described.
  func add(
    _ bundle: String, expecting offer: ExtensionIndex.Offer?, trying trial: Trial?, deciding decision: Decision
  ) async throws(ExtensionError) -> Installed {
    let source = try Self.resolved(bundle)
    return try await add(source, offer, trial, decision, holding: try await lock())
  }

  /// The lock of the store: one change at a time, by all processes.
  private func lock() async throws(ExtensionError) -> FileLock {
    let folder = try state.folder("bundles")
    if HostIdentity.current.isRoot { state.openWay(to: "bundles/of-a-team") }
    do throws(FileError) {
      return try await FileLock.take("\(folder)/lock", within: .seconds(30))
    } catch {
      throw ExtensionError(error)
    }
  }

  /// Removes what killed processes have left behind, and bundles that no record names any more.
  func sweep() async throws(ExtensionError) { try await sweep(holding: try await lock()) }

  private func sweep(holding lock: borrowing FileLock) async throws(ExtensionError) {
    let folders = try folders()
    let record = try RegistryRecord.load(from: recordPath)
    await Self.quietly { folders.sweep(record) }
  }

  private func folders() throws(ExtensionError) -> BundleFolders { BundleFolders(try state.folder("bundles")) }

  private func add(
    _ source: String, _ offer: ExtensionIndex.Offer?, _ trial: Trial?, _ decision: Decision,
    holding lock: borrowing FileLock
  ) async throws(ExtensionError) -> Installed {
    let folders = try folders()
    try await finishHandovers()
    let record = try RegistryRecord.load(from: recordPath)
    let points = points
    let copied = try await Self.onThread {
      folders.sweep(record)
      return try BundleCopy(source, to: folders.path, record, points)
    }
    do throws(ExtensionError) {
      if let offer { try Self.compare(copied, with: offer) }
      return try await register(copied, record, trial, decision)
    } catch {
      // It was there before, and is used, or nobody else knows of it. Where a way back failed, the record may have it.
      let record = try? RegistryRecord.load(from: recordPath)
      if copied.isNew, let record, !record.bundles.contains(where: { $0.path == copied.path }) {
        await Self.quietly { BundleFolders.remove(copied.folder) }
      }
      throw error
    }
  }

  private func register(
    _ copy: BundleCopy, _ record: RegistryRecord, _ trial: Trial?, _ decision: Decision
  ) async throws(ExtensionError) -> Installed {
    let identifier = copy.manifest.identifier
    let team = BundleTeam(team: copy.signature.team, name: copy.signature.name)
    let present = record.bundles.filter { $0.identifier == identifier && $0.path != copy.path }
    let owner = record.teams[identifier] ?? (present.isEmpty ? nil : BundleTeam(team: "", name: "unsigned"))
    let isTakeover = owner != nil && owner?.team != team.team
    let earlier = copy.entries(of: isTakeover ? [] : present)
    let before = earlier.filter { $0.identifier == identifier }.compactMap { $0.manifest?.version }.max()
    if let before, BundleVersion(copy.manifest.version) < before {
      throw ExtensionError(
        .extensionInvalid, "\(identifier) \(copy.manifest.version) is older than \(before.text), which is installed.",
        recovery: "Install a later version, or remove the one that is installed first.")
    }
    if isTakeover, let owner {
      try await agree(.otherTeam(identifier: identifier, owner: owner, newcomer: team), decision)
    }
    for entry in copy.entries where !isTakeover {
      var more = entry.capabilities.subtracting(record.approvals[entry.identifier] ?? entry.capabilities)
      if let former = earlier.first(where: { $0.identifier == entry.identifier }) {
        more.formUnion(entry.reaches.subtracting(former.reaches))
      }
      guard !more.isEmpty else { continue }
      try await agree(.moreCapabilities(identifier: entry.identifier, more: more.sorted(), team: team), decision)
    }
    if isTakeover, let owner { try await handOver(identifier, from: owner, to: team) }
    try await RegistryRecord.update(at: recordPath) { record throws(ExtensionError) in
      // A statement of the team may have been learned while somebody was asked.
      guard isTakeover || record.teams[identifier]?.team == owner?.team else {
        throw ExtensionError(
          .permissionDenied, "\(identifier) was handed over to another root key while you were asked.",
          recovery: "Nothing was changed. Ask its team for a version that is signed below that key.")
      }
      for bundle in present { _ = record.remove(bundle: bundle.path) }
      try record.add(bundle: copy.path, identifier: identifier, signature: copy.signature)
      record.pin(identifier, to: team)
      record.endHandover(of: identifier)
      for entry in copy.entries { record.approve(entry.capabilities, for: entry.identifier) }
    }
    for bundle in present { StoredBundle.leave(bundle.path, in: state) }
    let installed = Installed(
      identifier: identifier, version: copy.manifest.version, path: copy.path, team: team, problems: copy.problems,
      replaced: before?.text)
    if let trial { try await self.trial(trial, of: installed, copy, former: isTakeover ? nil : record) }
    return installed
  }

  private func agree(_ question: BundleQuestion, _ decision: Decision) async throws(ExtensionError) {
    let isAgreed: Bool
    do { isAgreed = try await decision(question) } catch { throw ExtensionError(wrapping: error) }
    guard isAgreed else {
      throw ExtensionError(
        .permissionDenied, "The bundle was not installed. \(question.sentence)",
        recovery: "Nothing was changed. Agree to it to install the bundle.")
    }
  }

  // MARK: Another team

  /// Puts the data of the team of before aside, and takes up what the new one may have had.
  private func handOver(
    _ identifier: String, from old: BundleTeam, to new: BundleTeam
  ) async throws(ExtensionError) {
    try await RegistryRecord.update(at: recordPath) { record throws(ExtensionError) in
      record.beginHandover(of: identifier, to: new)
    }
    try await finishHandovers()
  }

  /// Does what an interrupted change left undone, once more from its beginning: each step is one that may be repeated.
  private func finishHandovers() async throws(ExtensionError) {
    let record = try RegistryRecord.load(from: recordPath)
    for (identifier, old) in record.handovers.sorted(by: { $0.key < $1.key }) {
      guard let new = record.teams[identifier] else { continue }
      let folders = BundleData(state, record)
      let ids = try await Self.onThread { try folders.handOver(identifier, from: old, to: new.team) }
      try await PermissionAuthority(state: state).handOver(ids, of: identifier, from: old, to: new.team)
      try await RegistryRecord.update(at: recordPath) { record throws(ExtensionError) in
        for id in ids { record.forgetApproval(of: id) }
        record.endHandover(of: identifier)
      }
      _ = try await Self.onThread { try folders.forgetHandover(identifier, from: old) }
    }
  }

  /// Lets an unsigned bundle, which is used where it lies, take the name of an app that belongs to a team. The app's data and
  /// permissions are put aside, and its bundles are removed from the record. Nothing is asked or done when the name is nobody's.
  ///
  /// - Parameter decision: asked with both names.
  /// - Throws: `permissionDenied` when the answer is no; `storeFailed`.
  public func release(_ identifier: String, deciding decision: Decision) async throws(ExtensionError) {
    guard let owner = try RegistryRecord.load(from: recordPath).teams[identifier], !owner.team.isEmpty else { return }
    let unsigned = BundleTeam(team: "", name: "unsigned")
    try await agree(.otherTeam(identifier: identifier, owner: owner, newcomer: unsigned), decision)
    _ = try await forgetTeam(of: identifier, ifStill: owner, holding: try await lock())
  }

  /// Leaves an identifier to whoever comes next. The data of its team is put aside, and its bundles are removed.
  ///
  /// - Returns: the team that it belonged to; `nil` when it belonged to none.
  /// - Throws: `storeFailed` when something cannot be moved or written; the team of before keeps its data then.
  public func forgetTeam(of identifier: String) async throws(ExtensionError) -> BundleTeam? {
    try await forgetTeam(of: identifier, holding: try await lock())
  }

  private func forgetTeam(
    of identifier: String, ifStill asked: BundleTeam? = nil, holding lock: borrowing FileLock
  ) async throws(ExtensionError) -> BundleTeam? {
    try await finishHandovers()
    let record = try RegistryRecord.load(from: recordPath)
    guard let team = record.teams[identifier] else { return nil }
    if let asked, asked.team != team.team {
      throw ExtensionError(
        .permissionDenied, "\(identifier) was installed by another team while you were asked.",
        recovery: "Nothing was changed. Run the command again to be asked about that one.")
    }
    try await handOver(identifier, from: team, to: BundleTeam(team: "", name: "unsigned"))
    try await RegistryRecord.update(at: recordPath) { record throws(ExtensionError) in
      for bundle in record.bundles where bundle.identifier == identifier && bundle.signature != nil {
        _ = record.remove(bundle: bundle.path)
      }
      record.pin(identifier, to: nil)
    }
    for bundle in record.bundles where bundle.identifier == identifier { StoredBundle.leave(bundle.path, in: state) }
    return team
  }
}
