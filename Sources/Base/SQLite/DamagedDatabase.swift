internal import Files
internal import Glibc
import Time

/// Puts a damaged database away under a name with the time, so that nothing of it is lost and a new one can begin.
package enum DamagedDatabase {
  /// Moves a database with its log and its index. The caller has closed it and holds the gate.
  ///
  /// - Returns: the new name of the database; `nil` when it could not be moved.
  package static func setAside(_ path: String) -> String? {
    guard let target = File.setAside(path, as: "corrupt", at: UnixTime.now.fileStamp) else { return nil }
    for suffix in ["-wal", "-shm"] { unsafe rename(path + suffix, target + suffix) }
    return target
  }

  /// The databases that were set aside beside a path, oldest first.
  package static func all(beside path: String) -> [String] {
    let folder = Folder.parent(of: path)
    let beginning = "\(Folder.name(of: path)).corrupt-"
    let names = Folder.names(in: folder).filter {
      $0.hasPrefix(beginning) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    return names.sorted().map { "\(folder)/\($0)" }
  }
}
