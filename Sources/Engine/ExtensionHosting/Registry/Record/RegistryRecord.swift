public import ExtensionProtocol
import Files
import Text
import Time

/// The decisions of a user about the registry, kept in a file: bundles added by hand, elections, and approvals.
public struct RegistryRecord: Sendable, Hashable, Codable, StateContent {
  /// A bundle that was added.
  public struct Bundle: Sendable, Hashable, Codable {
    /// The absolute path without symbolic links.
    public let path: String
    /// What it was called when it was added, so that it can be named when its files are gone.
    public internal(set) var identifier: String
    /// When it was added last, in seconds since 1970: among equal versions the newest is used.
    @Timestamp<Double> public internal(set) var added: Double
    /// Who signed it, for a bundle in the store; `nil` for one that is used where it lies.
    public internal(set) var signature: BundleSignature?
  }

  /// The bundles in the order in which they were first added.
  public internal(set) var bundles: [Bundle] = []
  /// Decisions by bundle identifier.
  public internal(set) var elections: [String: Election] = [:]
  /// By bundle identifier, what an extension asked for when it was added or approved (``RegistryEntry/capabilities``).
  public internal(set) var approvals: [String: Set<String>] = [:]
  /// By bundle identifier of an app or a lone extension, the team that it belongs to.
  public internal(set) var teams: [String: BundleTeam] = [:]
  /// By identifier, the team whose data is being put aside for the team in ``teams``; empty when no hand-over was interrupted.
  package internal(set) var handovers: [String: String] = [:]
  /// By fingerprint of a team, that of the team whose root key took its place.
  public internal(set) var successors: [String: String] = [:]
  /// Why keys and sealed bundles are good no longer: by ``revocationKey(_:of:)``.
  public internal(set) var revoked: [String: String] = [:]

  /// Makes an empty record: nothing was added, elected or approved.
  public init() {}

  // MARK: Changes

  /// Adds a bundle; adding it again makes it the newest.
  ///
  /// - Parameters:
  ///   - path: a folder that ends in `.app` or `.appex`.
  ///   - identifier: its bundle identifier; the folder's name when absent.
  ///   - signature: who signed it, for a bundle in the store.
  ///   - time: seconds since 1970; now when absent.
  /// - Throws: `extensionInvalid` when the path is no such folder.
  public mutating func add(
    bundle path: String, identifier: String? = nil, signature: BundleSignature? = nil, at time: Double? = nil
  ) throws(ExtensionError) {
    guard let resolved = File.resolved(path) else {
      throw ExtensionError(
        .extensionInvalid, "There is no bundle at “\(path)”.",
        recovery: "Check the path: a bundle is a folder that ends in .app or .appex.")
    }
    guard Folder.isFolder(resolved),
      resolved.hasSuffix(".app") || resolved.hasSuffix(".appex")
    else {
      throw ExtensionError(
        .extensionInvalid, "“\(path)” is not a bundle.", recovery: "Name a folder that ends in .app or .appex.")
    }
    let identifier = identifier ?? Folder.name(of: resolved)
    let bundle = Bundle(
      path: resolved, identifier: identifier, added: time ?? UnixTime.now.fractionalSeconds, signature: signature)
    if let index = bundles.firstIndex(where: { $0.path.hasBytes(of: resolved) }) {
      bundles[index] = bundle
    } else {
      bundles.append(bundle)
    }
  }

  /// Removes a bundle from the record. Its files stay.
  ///
  /// - Parameter path: the path with which it was added, or another path of the same folder.
  /// - Returns: whether the record had the bundle.
  public mutating func remove(bundle path: String) -> Bool {
    let before = bundles.count
    let resolved = File.resolved(path)
    bundles.removeAll { $0.path.hasBytes(of: path) || $0.path.hasBytes(of: resolved ?? path) }
    return bundles.count < before
  }

  /// Sets a decision; `nil` goes back to the default.
  public mutating func elect(_ election: Election?, for identifier: String) { elections[identifier] = election }

  /// Takes what an extension asks for as approved.
  public mutating func approve(_ capabilities: Set<String>, for identifier: String) {
    approvals[identifier] = capabilities
  }

  /// Forgets what was approved, so that adding the extension again approves it anew.
  public mutating func forgetApproval(of identifier: String) { approvals[identifier] = nil }

  /// Takes an identifier as a team's; `nil` leaves it to the next one who comes.
  public mutating func pin(_ identifier: String, to team: BundleTeam?) { teams[identifier] = team }

  /// Gives an identifier to another team, whose bundles are used when the data of the team of before is put aside.
  package mutating func beginHandover(of identifier: String, to team: BundleTeam) {
    // An interrupted one began with the team whose data still lies there.
    if handovers[identifier] == nil { handovers[identifier] = teams[identifier]?.team ?? "" }
    teams[identifier] = team
  }

  /// The data of the team of before is put aside.
  package mutating func endHandover(of identifier: String) { handovers[identifier] = nil }

  /// Takes a key, or a sealed bundle, of a team as good no longer. The caller has verified that the team says so.
  ///
  /// - Parameters:
  ///   - fingerprint: that of a signing key, or the digest of a sealed bundle.
  ///   - team: the fingerprint of the team.
  ///   - reason: one line for the user.
  public mutating func revoke(_ fingerprint: String, of team: String, because reason: String) {
    revoked[Self.revocationKey(fingerprint, of: team)] = reason
  }

  /// The key of ``revoked``: a team takes back what is its own, and nothing of another's.
  package static func revocationKey(_ fingerprint: String, of team: String) -> String { "\(team) \(fingerprint)" }

  /// Takes a team's new root key for the old one. The caller has verified that the old one says so.
  ///
  /// - Parameters:
  ///   - old: the fingerprint of the root key of before.
  ///   - new: that of its successor.
  /// - Returns: the identifiers that belong to the successor from now on.
  @discardableResult
  public mutating func rotate(_ old: String, to new: String) -> [String] {
    for (team, successor) in successors where successor == old { successors[team] = new }
    successors[old] = new
    let moved = teams.filter { $0.value.team == old }
    for (identifier, team) in moved { teams[identifier] = BundleTeam(team: new, name: team.name) }
    return moved.keys.sorted()
  }

  /// The absolute path of a file, without links; `nil` when there is none.
  public static func resolved(_ path: String) -> String? { File.resolved(path) }

  // MARK: File

  /// Reads the record; without a file it is empty.
  ///
  /// - Throws: `storeFailed` for a file that cannot be read or parsed. Such a file stays where it is, as it may hold a
  ///   user's decision not to use an extension.
  public static func load(from path: String) throws(ExtensionError) -> RegistryRecord {
    try file(path).load() ?? RegistryRecord()
  }

  /// Reads the record, changes it and writes it back, while no other process can do the same.
  ///
  /// A crash leaves the old record or the new one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - timeout: how long to wait for another process that changes the record.
  ///   - change: gets the record as it stands, and changes it.
  /// - Throws: `storeFailed`, with `retryable` in the details when another process keeps the record locked, or what `change`
  ///   throws; then nothing is written.
  @discardableResult
  public static func update<Result>(
    at path: String, timeout: Duration = .seconds(5),
    _ change: (inout RegistryRecord) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    try await file(path, timeout).change(or: RegistryRecord(), change)
  }

  private static func file(_ path: String, _ timeout: Duration = .seconds(5)) -> StateFile<RegistryRecord> {
    StateFile(path: path, name: "The registry's record", damage: .refuse, isDurable: true, timeout: timeout)
  }
}
