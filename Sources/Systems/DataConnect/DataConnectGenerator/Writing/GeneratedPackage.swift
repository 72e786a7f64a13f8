package import Files
import Glibc
import Text

/// Writes generated files to the disk.
package enum GeneratedPackage {
  /// The files that a call handled, by their paths relative to the folder.
  package struct Outcome: Sendable, Hashable {
    /// Files that were created or replaced.
    package var written: [String] = []
    /// Files that already had the right content.
    package var unchanged: [String] = []
    /// Files of an earlier generation that were removed because they are no longer generated.
    package var removed: [String] = []
  }

  /// The file that lists the generated files, so that a later call can remove those no longer generated.
  static let listName = ".dataconnect-generated"
  private static let maximumBytes = 64 << 20

  /// Writes the files of a package, each whole or not at all. A file that already has the right content is left alone.
  /// A file that an earlier call wrote and that is no longer generated is removed; other files never are.
  ///
  /// - Throws: `FileError`; some files may have been written.
  package static func write(_ files: [GeneratedFile], to folder: String) throws(FileError) -> Outcome {
    var outcome = Outcome()
    let earlier = list(in: folder)
    let paths = Set(files.map(\.path))
    // Written before the files, so that after a failure in between no file is forgotten.
    try put(listText(Set(earlier).union(paths)), at: listName, in: folder)
    for file in files.sorted(by: { $0.path < $1.path }) {
      if try put(file.text, at: file.path, in: folder) {
        outcome.written.append(file.path)
      } else {
        outcome.unchanged.append(file.path)
      }
    }
    for path in earlier where !paths.contains(path) {
      guard FileStatus("\(folder)/\(path)") != nil else { continue }
      File.remove("\(folder)/\(path)")
      outcome.removed.append(path)
    }
    try put(listText(paths), at: listName, in: folder)
    return outcome
  }

  /// Writes a file whole or not at all, and creates missing folders above it. Does nothing when the content is right.
  ///
  /// - Returns: whether the file was written.
  /// - Throws: `FileError`.
  @discardableResult
  package static func put(_ text: String, at path: String, in folder: String) throws(FileError) -> Bool {
    let (file, bytes) = ("\(folder)/\(path)", Array(text.utf8))
    if let status = FileStatus(file), status.kind == .regular, status.size == Int64(bytes.count),
      try File.read(file, limit: maximumBytes) == bytes
    {
      return false
    }
    try makeFolder(Folder.parent(of: file))
    try File.replace(file, with: bytes)
    // Everyone who may read the folder may read the sources.
    chmod(file, 0o666 & ~mask)
    return true
  }

  /// Creates a folder and the missing folders above it, with a developer's usual permissions.
  private static func makeFolder(_ folder: String) throws(FileError) {
    var missing: [String] = []
    var path = folder
    while !Folder.isFolder(path), path != "/", path != "." {
      missing.append(path)
      path = Folder.parent(of: path)
    }
    try Folder.make(folder)
    for path in missing { chmod(path, 0o777 & ~mask) }
  }

  /// The permission bits that the process's umask removes from new files.
  private static let mask: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  private static func listText(_ paths: Set<String>) -> String {
    paths.sorted().map { "\($0)\n" }.joined()
  }

  /// Returns the paths that an earlier call wrote. Anyone may have edited the list, so paths that lead elsewhere are
  /// ignored.
  private static func list(in folder: String) -> [String] {
    guard let bytes = try? File.read("\(folder)/\(listName)", limit: 1 << 20) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.filter { line in
      guard let parts = line.partsBelow else { return false }
      let isOurs = line.hasPrefix("Sources/") ? parts.count == 2 && line.hasSuffix(".swift") : parts.count == 1
      return isOurs && (line.hasSuffix(".swift") || line == "README.md")
    }
  }
}
