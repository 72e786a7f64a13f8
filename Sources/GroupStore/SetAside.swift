import Files
import Glibc
import SQLite

/// Puts a damaged database away under a name with the time, so that nothing of it is lost and a new one can begin.
enum SetAside {
  /// What SQLite reports, in the store's terms. A damaged file is set aside; the caller holds the gate.
  static func translate(_ error: SQLiteError, path: String) -> GroupStoreError {
    switch error.kind {
    case .corrupt, .notADatabase:
      return .corrupt("The group store \(path) is damaged: \(error.message)", setAside: move(path))
    case .busy, .full, .io, .readOnly, .cannotOpen, .interrupted:
      return .unavailable(
        "The group store failed: \(error.message)", recovery: error.recovery, isRetryable: error.kind != .readOnly)
    default:
      return .unavailable("The group store failed: \(error.message)", recovery: error.recovery, isRetryable: false)
    }
  }

  /// - Returns: the new name of the database; its log and its index go with it. `nil` when it could not be moved.
  private static func move(_ path: String) -> String? {
    guard let target = File.setAside(path, as: "corrupt") else { return nil }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, target + suffix) }
    return target
  }

  /// The databases that were set aside beside a path, oldest first.
  static func all(beside path: String) -> [String] {
    let folder = Folder.parent(of: path)
    let beginning = "\(Folder.name(of: path)).corrupt-"
    let names = Folder.names(in: folder).filter {
      $0.hasPrefix(beginning) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    return names.sorted().map { "\(folder)/\($0)" }
  }
}
