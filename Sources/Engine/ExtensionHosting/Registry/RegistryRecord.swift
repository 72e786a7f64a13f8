public import ExtensionProtocol
import Files
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
  }

  /// The bundles in the order in which they were first added.
  public internal(set) var bundles: [Bundle] = []
  /// Decisions by bundle identifier.
  public internal(set) var elections: [String: Election] = [:]
  /// By bundle identifier, what an extension asked for when it was added or approved (``RegistryEntry/capabilities``).
  public internal(set) var approvals: [String: Set<String>] = [:]

  /// Makes an empty record: nothing was added, elected or approved.
  public init() {}

  // MARK: Changes

  /// Adds a bundle; adding it again makes it the newest.
  ///
  /// - Parameters:
  ///   - path: a folder that ends in `.app` or `.appex`.
  ///   - identifier: its bundle identifier; the folder's name when absent.
  ///   - time: seconds since 1970; now when absent.
  /// - Throws: `extensionInvalid` when the path is no such folder.
  public mutating func add(
    bundle path: String, identifier: String? = nil, at time: Double? = nil
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
    let bundle = Bundle(path: resolved, identifier: identifier, added: time ?? UnixTime.now.fractionalSeconds)
    if let index = bundles.firstIndex(where: { $0.path == resolved }) {
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
    bundles.removeAll { $0.path == path || $0.path == resolved }
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
