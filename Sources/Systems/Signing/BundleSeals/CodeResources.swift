import Files
import PropertyList
import PropertyListXML
import Text

/// The list of everything in a bundle but its seal: `_CodeSignature/CodeResources`, a property list.
///
/// `Version` is 1. `Files` has a dictionary for each path: `Mode`, `Size` and `SHA256` of a file, `Mode` and `Folder` of a
/// folder, `Link` with the target of a link. The bundle itself is `.`.
package struct CodeResources: Sendable, Equatable {
  private static let version: Int64 = 1
  /// The most bytes of a list, and of any other file of a seal.
  static let size = 8 << 20
  /// Bounds of a list: 8 MiB, four levels, and five values for each name of the largest bundle.
  private static let limits = PropertyListLimits(size: Self.size, depth: 6, values: 160_000, content: 16 << 20)

  /// What was sealed, by path.
  package let entries: [String: SealedEntry]

  /// Creates a list.
  package init(_ entries: [String: SealedEntry]) { self.entries = entries }

  /// Reads a list.
  ///
  /// - Throws: `malformed`, with what is wrong.
  package init(_ bytes: [UInt8]) throws(SealError) {
    let root: PropertyListNode
    switch XMLPropertyListReader.parse(bytes, limits: Self.limits) {
    case .value(let node): root = node
    case .errors(let errors): throw Self.failure(errors.first?.message ?? "It is no property list.")
    }
    let value = root.value
    guard value["Version"] == .integer(Self.version) else {
      throw Self.failure("Its version is not \(Self.version), which this host reads.")
    }
    guard let files = value["Files"]?.dictionaryValue, !files.isEmpty, files.count <= SealedTree.maximumEntries,
      value.dictionaryValue?.count == 2
    else { throw Self.failure("It has no dictionary “Files”, or more than that.") }
    var entries: [String: SealedEntry] = [:]
    for (path, entry) in files {
      guard Self.isPath(path), let sealed = Self.entry(entry) else {
        throw Self.failure("Its entry “\(path.prefix(100))” cannot be understood.")
      }
      entries[path] = sealed
    }
    guard case .folder = entries["."] else { throw Self.failure("It does not say what the bundle itself is.") }
    for path in entries.keys where path != "." {
      guard case .folder = entries[Folder.parent(of: path)] else {
        throw Self.failure("Its entry “\(path.prefix(100))” lies in no folder.")
      }
    }
    self.entries = entries
  }

  private static func failure(_ why: String) -> SealError {
    SealError(
      .malformed, "_CodeSignature/CodeResources is not a list of sealed files. \(why)",
      recovery: "Take the bundle from where it came from again.")
  }

  /// Whether a path leads to a place in the bundle: no `..`, no empty component, not absolute.
  private static func isPath(_ path: String) -> Bool {
    if path == "." { return true }
    guard let parts = path.partsBelow else { return false }
    return path.utf8.count <= 1_024 && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && parts.first.map(String.init) != BundleSeal.folder
  }

  private static func entry(_ value: PropertyListValue) -> SealedEntry? {
    guard let keys = value.dictionaryValue?.keys else { return nil }
    let mode = value["Mode"]?.integerValue.flatMap { (0...0o777).contains($0) ? UInt32($0) : nil }
    switch Set(keys) {
    case ["Mode", "Size", "SHA256"]:
      guard let mode, let size = value["Size"]?.integerValue, (0...SealedTree.maximumBytes).contains(size),
        let digest = value["SHA256"]?.dataValue, digest.count == 32
      else { return nil }
      return .file(mode: mode, size: size, digest: digest)
    case ["Mode", "Folder"]:
      guard let mode, value["Folder"] == .bool(true) else { return nil }
      return .folder(mode: mode)
    case ["Link"]:
      guard let target = value["Link"]?.stringValue, !target.isEmpty, target.utf8.count <= 1_024 else { return nil }
      return .link(target: target)
    default: return nil
    }
  }

  /// The list as a property list in XML, its keys in order.
  ///
  /// - Throws: `unsealable` for a name that XML cannot hold.
  package func bytes() throws(SealError) -> [UInt8] {
    let files = entries.mapValues { entry -> PropertyListValue in
      switch entry {
      case .file(let mode, let size, let digest):
        ["Mode": .integer(Int64(mode)), "Size": .integer(size), "SHA256": .data(digest)]
      case .folder(let mode): ["Mode": .integer(Int64(mode)), "Folder": true]
      case .link(let target): ["Link": .string(target)]
      }
    }
    let value: PropertyListValue = ["Version": .integer(Self.version), "Files": .dictionary(files)]
    guard let text = XMLPropertyListWriter.document(value), text.utf8.count <= Self.limits.size else {
      throw SealError(
        .unsealable, "The bundle has names that a property list cannot hold, or too many.",
        recovery: "Use plain names, and fewer files.")
    }
    return Array(text.utf8)
  }

  /// What was sealed below a folder, with paths from there.
  package func below(_ folder: String) -> [String: SealedEntry] {
    var found: [String: SealedEntry] = [:]
    for (path, entry) in entries {
      if path == folder { found["."] = entry }
      if let part = path.part(below: folder) { found[part] = entry }
    }
    return found
  }
}
