package import Files
import Glibc

/// Brings generated files to the disk.
package enum GeneratedPackage {
  /// What was done, each file by its path relative to the folder.
  package struct Outcome: Sendable, Hashable {
    package var written: [String] = []
    package var unchanged: [String] = []
    /// Files of an earlier generation that are no longer made.
    package var removed: [String] = []
  }

  /// Which files were generated, so that they can be removed when they no longer are.
  static let listName = ".dataconnect-generated"
  private static let maximumBytes = 64 << 20

  /// Writes the files of a package: each whole or not at all, those that are as they should be left alone. What an
  /// earlier call has written and is no longer made is removed; files of others never are.
  ///
  /// - Throws: `FileError`; some files may have been written.
  package static func write(_ files: [GeneratedFile], to folder: String) throws(FileError) -> Outcome {
    var outcome = Outcome()
    let earlier = list(in: folder)
    let paths = Set(files.map(\.path))
    // Before the files: after a failure in between, none is forgotten.
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

  /// Writes a file whole or not at all, with the folders above it, unless it is as it should be.
  ///
  /// - Returns: whether the file was another one.
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
    // Sources are for everybody who may read the folder.
    chmod(file, 0o666 & ~mask)
    return true
  }

  /// Makes a folder and those above it that are missing, as a developer would.
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

  /// What the process takes away from the modes of new files.
  private static let mask: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  private static func listText(_ paths: Set<String>) -> String {
    paths.sorted().map { "\($0)\n" }.joined()
  }

  /// The paths that an earlier call has written. The list may have been changed by anybody: it leads nowhere else.
  private static func list(in folder: String) -> [String] {
    guard let bytes = try? File.read("\(folder)/\(listName)", limit: 1 << 20) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.filter { line in
      let parts = line.split(separator: "/", omittingEmptySubsequences: false)
      let isOurs = line.hasPrefix("Sources/") ? parts.count == 2 && line.hasSuffix(".swift") : parts.count == 1
      return isOurs && !parts.contains("..") && !parts.contains("") && (line.hasSuffix(".swift") || line == "README.md")
    }
  }
}
