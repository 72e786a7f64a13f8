import Files
import Glibc
import Text

/// A folder that gets its name when it is whole.
struct FolderDraft {
  /// Where it is meanwhile.
  let path: String

  /// Makes a folder: what the body writes, or nothing.
  ///
  /// - Parameters:
  ///   - target: its path; nothing of this name is there.
  ///   - body: fills the draft.
  static func write(
    _ target: String, _ body: (FolderDraft) throws(FileError) -> Void
  ) throws(FileError) {
    let place = try Folder.makeTemporary(beginning: "\(Folder.parent(of: target))/.\(Folder.name(of: target))-")
    defer { try? Folder.remove(place) }
    // A folder in that one: unlike it, not for the owner alone.
    let draft = FolderDraft(path: "\(place)/\(Folder.name(of: target))")
    guard mkdir(draft.path, 0o777) == 0 else { throw .cannot("create", draft.path) }
    try body(draft)
    guard FileStatus(target) == nil, rename(draft.path, target) == 0 else { throw .cannot("create", target) }
  }

  /// Writes a file, and makes the folders on the way to it.
  func write(_ bytes: [UInt8], to relative: String, isExecutable: Bool = false) throws(FileError) {
    try makeFolder(Folder.parent(of: relative))
    let file = "\(path)/\(relative)"
    try File.writeNew(bytes, to: file)
    if isExecutable { chmod(file, 0o755) }
  }

  /// Makes a folder, and those above it.
  func makeFolder(_ relative: String) throws(FileError) {
    var made = path
    for part in relative.pathParts() where part != "." {
      made += "/\(part)"
      // Not for the owner alone: an extension runs as another user where the host is root.
      guard mkdir(made, 0o777) == 0 || (errno == EEXIST && Folder.isFolder(made)) else {
        throw .cannot("create", made)
      }
    }
  }
}

/// Puts a folder in the place of another.
enum FolderSwap {
  /// Gives a folder its name. What had the name before is removed afterwards; when something fails, it has its name
  /// back.
  ///
  /// - Parameters:
  ///   - source: whole, on the same file system.
  ///   - target: its path from now on.
  static func move(_ source: String, to target: String) throws(FileError) {
    guard FileStatus(target) != nil else {
      guard rename(source, target) == 0 else { throw .cannot("create", target) }
      return
    }
    let old = "\(source).old"
    guard rename(target, old) == 0 else { throw .cannot("replace", target) }
    guard rename(source, target) == 0 else {
      let failure = FileError.cannot("replace", target)
      rename(old, target)
      throw failure
    }
    try Folder.remove(old)
  }
}

extension EmbeddedFile {
  /// Returns the files of `Plugins` below a folder, with their paths in that folder.
  static func files(below folder: String) -> [(path: String, text: String)] {
    written.compactMap { file in file.path.part(below: folder).map { ($0, file.text) } }
  }
}
