import Files
import Glibc

/// The disk space of PostgreSQL's write-ahead log, without which the server stops.
///
/// It is allocated when the data is created, and reused. So on a full disk only statements that need more space fail,
/// and the server continues.
enum WriteAheadLog {
  /// MiB of each of its files.
  static let segment = 16
  /// MiB of all files: the server sees to it that it needs no more, unless more comes than it can write elsewhere.
  static let size = 5 * segment

  /// Creates the log files after the first one, as the server itself does in advance.
  ///
  /// Source: https://www.postgresql.org/docs/15/wal-configuration.html, and `PreallocXlogFiles` of the server.
  static func reserve(in data: String, _ user: ServerUser?) throws(PostgreSQLClusterError) {
    let zeros = [UInt8](repeating: 0, count: segment << 20)
    for number in 2...size / segment {
      let path = "\(data)/pg_wal/00000001000000000000000\(number)"
      do throws(FileError) {
        try File.writeNew(zeros, to: path)
      } catch {
        throw PostgreSQLClusterError(
          .folder, error.message, recovery: "See whether there is room on the disk, or choose another folder.")
      }
      try user?.own(path)
    }
  }
}
