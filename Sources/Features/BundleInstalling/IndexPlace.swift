import Cryptography
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import UpdateMetadata

/// What a host keeps of an index: a folder `indexes/…` of the state directory, which nothing that a bundle holds is ever
/// written to.
///
/// `url` and `root.json` make it a trusted one; beside them lie the other files of metadata as they came, and downloads.
struct IndexPlace: Sendable {
  private static let parent = "indexes"
  private static let limit = 8 << 20

  let path: String

  /// The place for an index, which need not be there.
  init(_ url: String, _ state: StateDirectory) {
    path = "\(state.path)/\(Self.parent)/\(SHA256.hexadecimal(of: url.utf8).prefix(32))"
  }

  /// The addresses of all indexes that are trusted, in order.
  static func urls(_ state: StateDirectory) -> [String] {
    let folder = "\(state.path)/\(parent)"
    return Folder.names(in: folder).compactMap { name in
      guard FileStatus("\(folder)/\(name)/root.json") != nil,
        let bytes = try? File.read("\(folder)/\(name)/url", limit: 4_096)
      else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }.sorted()
  }

  var isTrusted: Bool { FileStatus("\(path)/root.json") != nil }

  /// Takes a root as trusted; what was kept of another one is removed.
  func trust(_ root: [UInt8], of url: String, _ state: StateDirectory) throws {
    _ = try state.folder(Self.parent)
    try Folder.make(path)
    for name in Folder.names(in: path, endingIn: ".json") where name != "root.json" { File.remove("\(path)/\(name)") }
    try File.replace("\(path)/url", with: Array(url.utf8), isDurable: true)
    try File.replace("\(path)/root.json", with: root, isDurable: true)
  }

  /// Forgets the index. The root goes first: without it nothing else is believed.
  func forget() throws {
    File.remove("\(path)/root.json")
    try Folder.remove(path)
  }

  /// The files of metadata by name.
  func kept() -> [String: [UInt8]] {
    var kept: [String: [UInt8]] = [:]
    for name in Folder.names(in: path, endingIn: ".json") {
      kept[name] = try? File.read("\(path)/\(name)", limit: Self.limit, followsLink: false)
    }
    return kept
  }

  func keep(_ file: UpdateWorkflow.Kept) throws {
    try File.replace("\(path)/\(file.name)", with: file.bytes, isDurable: true)
  }

  // MARK: Downloads

  private var downloads: String { "\(path)/downloads" }

  /// The file that a download with a digest goes into; what is left of an earlier attempt stays in it.
  func download(_ sha256: String) throws -> String {
    try Folder.make(downloads)
    return "\(downloads)/\(sha256).part"
  }

  /// Removes downloads that nobody goes on with: those of other files, and folders of processes that were killed.
  func sweep(keeping sha256: String? = nil) {
    for name in Folder.names(in: downloads) where sha256.map({ name != "\($0).part" }) ?? true {
      File.remove("\(downloads)/\(name)")
      BundleFolders.remove("\(downloads)/\(name)")
    }
  }

  /// A folder for what is in an archive.
  func unpackingFolder() throws -> String {
    try Folder.make(downloads)
    return try Folder.makeTemporary(beginning: "\(downloads)/.new-")
  }
}
