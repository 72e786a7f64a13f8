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
    let target = "\(path).corrupt-\(timestamp())"
    guard rename(path, target) == 0 else { return nil }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, target + suffix) }
    return target
  }

  /// The databases that were set aside beside a path, oldest first.
  static func all(beside path: String) -> [String] {
    guard let slash = path.lastIndex(of: "/"), let folder = opendir(String(path[..<slash])) else { return [] }
    defer { closedir(folder) }
    let beginning = "\(path[path.index(after: slash)...]).corrupt-"
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(beginning), !name.hasSuffix("-wal"), !name.hasSuffix("-shm") { names.append(name) }
    }
    return names.sorted().map { "\(path[...slash])\($0)" }
  }

  /// The time now, as `20261120T221500.123456Z`: two in one second have two names.
  private static func timestamp() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%dT%H%M%S", &parts)
    let micros = String(1_000_000 + time.tv_nsec / 1000).dropFirst()
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) + ".\(micros)Z"
  }
}
