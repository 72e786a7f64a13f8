import Files
import Glibc

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
