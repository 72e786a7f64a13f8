public import ExtensionProtocol
import Glibc
import JSONRPC

/// What a user told the registry, kept in a file: bundles added by hand, and elections.
public struct RegistryRecord: Sendable, Hashable, Codable {
  /// Absolute paths of bundles, in the order in which they were added.
  public private(set) var bundles: [String] = []
  /// Decisions by bundle identifier.
  public private(set) var elections: [String: Election] = [:]

  public init() {}

  // MARK: Changes

  /// Adds a bundle; adding it again changes nothing.
  ///
  /// - Throws: `extensionInvalid` when the path is no folder that ends in `.app` or `.appex`.
  public mutating func add(bundle path: String) throws(ExtensionError) {
    guard let resolved = ExecutableFile.resolved(path), Folder.isFolder(resolved),
      resolved.hasSuffix(".app") || resolved.hasSuffix(".appex")
    else {
      throw ExtensionError(
        .extensionInvalid, "“\(path)” is not a bundle.", recovery: "Name a folder that ends in .app or .appex.")
    }
    if !bundles.contains(resolved) { bundles.append(resolved) }
  }

  /// Forgets a bundle. The files stay.
  ///
  /// - Returns: whether it was there.
  public mutating func remove(bundle path: String) -> Bool {
    let before = bundles.count
    let resolved = ExecutableFile.resolved(path)
    bundles.removeAll { $0 == path || $0 == resolved }
    return bundles.count < before
  }

  /// Sets a decision; `nil` goes back to the default.
  public mutating func elect(_ election: Election?, for identifier: String) { elections[identifier] = election }

  // MARK: File

  /// Reads the record; without a file it is empty.
  ///
  /// - Throws: `storeFailed` when there is a file that cannot be read or understood.
  public static func load(from path: String) throws(ExtensionError) -> RegistryRecord {
    if access(path, F_OK) != 0, errno == ENOENT { return RegistryRecord() }
    do {
      return try JSONCoding.decode(RegistryRecord.self, from: try RegularFile.read(path, limit: 4 << 20))
    } catch {
      let reason = (error as? RegularFile.Failure)?.message ?? "\(error)"
      throw ExtensionError(
        .storeFailed, "The registry's record \(path) cannot be read: \(reason)",
        recovery: "Mend the file, or remove it to start again.")
    }
  }

  /// Reads the record, changes it and writes it back, while no other process can do the same.
  ///
  /// A crash leaves the old record or the new one.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - change: gets the record as it stands, and changes it.
  /// - Throws: `storeFailed`, or what `change` throws; then nothing is written.
  @discardableResult
  public static func update<Result>(
    at path: String, _ change: (inout RegistryRecord) throws(ExtensionError) -> Result
  ) throws(ExtensionError) -> Result {
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("open the lock of", path) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("lock", path) }
    }
    var record = try load(from: path)
    let before = record
    let result = try change(&record)
    if record != before { try SmallFile.replace(path, with: record.text) }
    return result
  }

  private var text: [UInt8] {
    var object = JSONObject()
    object["bundles"] = .array(bundles.map { .string($0) })
    var decisions = JSONObject()
    for (identifier, election) in elections { decisions[identifier] = .string(election.rawValue) }
    object["elections"] = .object(decisions)
    return Array((JSONCoding.prettyText(of: .object(object), sortsKeys: true) + "\n").utf8)
  }

  private static func failure(_ what: String, _ path: String) -> ExtensionError {
    ExtensionError(.storeFailed, "Cannot \(what) \(path): \(ErrnoText.of(errno)).")
  }
}
