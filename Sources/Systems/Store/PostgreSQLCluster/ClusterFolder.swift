import Files
import Glibc

/// The paths of a cluster's files.
struct ClusterFolder: Sendable {
  /// The folder that the caller named. It holds the lock that keeps two processes from using one folder.
  let path: String
  /// The folder of the data: the same one, or one below a folder of root that the server's user can reach.
  let base: String

  /// Where root keeps the data of folders that the server's user cannot get to, such as those below `/root`.
  static let rootBase = "/var/lib/annex/postgresql"
  private static let logLimit: Int64 = 1 << 20
  /// Bytes of the log that are read for a reason.
  private static let wordLimit = 1 << 16

  var lock: String { "\(path)/lock" }
  var data: String { "\(base)/data" }
  /// The path of the data while it is being created.
  var draft: String { "\(base)/data.new" }
  var log: String { "\(path)/server.log" }
  var processFile: String { "\(data)/postmaster.pid" }

  /// Creates the folder when it is missing.
  init(_ path: String, for user: ServerUser?) throws(PostgreSQLClusterError) {
    do throws(FileError) {
      try Folder.make(path)
      guard let resolved = File.resolved(path) else { throw FileError.cannot("open", path) }
      self.path = resolved
      guard let user else {
        base = resolved
        return
      }
      // The content of the folder belongs to the server's user or to root, each with its own permissions.
      if unsafe chmod(resolved, 0o711) != 0 { throw FileError.cannot("change the permissions of", resolved) }
      if user.canEnter(resolved) {
        base = resolved
        return
      }
      base = "\(Self.rootBase)/\(Self.name(of: resolved))"
      for folder in [Folder.parent(of: Self.rootBase), Self.rootBase, base] {
        try Folder.make(folder)
        if unsafe chmod(folder, 0o711) != 0 { throw FileError.cannot("change the permissions of", folder) }
      }
      try File.replace("\(resolved)/location", with: Array("\(base)\n".utf8))
    } catch {
      throw PostgreSQLClusterError(error)
    }
  }

  /// A name that stays the same: FNV-1a of the path in hexadecimal digits.
  private static func name(of path: String) -> String {
    let hash = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  /// The version that made the data; `nil` where there is none.
  var version: Int? {
    guard let bytes = File.prefix(of: "\(data)/PG_VERSION", limit: 16) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
  }

  /// The log, for what is written from now on. One that has grown is moved away, and the one before it goes.
  func openLog() throws(PostgreSQLClusterError) -> Int32 {
    if let status = FileStatus(log), status.size > Self.logLimit { _ = unsafe rename(log, "\(log).1") }
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe open(log, flags, 0o600)
    if descriptor < 0 { throw PostgreSQLClusterError(.cannot("write", log)) }
    return descriptor
  }

  /// The size of the log in bytes; 0 when there is none.
  var logSize: Int { FileStatus(log).map { Int($0.size) } ?? 0 }

  /// The last reason in the log to stop, of what was written behind a place; of the last 64 KiB where that is more.
  func lastWords(from start: Int) -> String? {
    let place = max(start, logSize - Self.wordLimit)
    guard let bytes = File.prefix(of: log, limit: Self.wordLimit, from: place) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let reasons = lines.filter { line in ["FATAL:", "PANIC:", "error:", "setpriv:"].contains { line.contains($0) } }
    // What else a server says on a full disk follows from that. It may be an error of one statement only (`ERROR:`), or a
    // write that was cut short, for which the system gives no reason.
    if let full = lines.last(where: { $0.contains("No space left on device") }) { return String(full.prefix(300)) }
    if let short = lines.last(where: { $0.contains("wrote only") }) {
      return String("No space left on device: \(short)".prefix(300))
    }
    return (reasons.last ?? lines.last).map { String($0.prefix(300)) }
  }
}
