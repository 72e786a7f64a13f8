import Files
import Glibc

/// The space of the log that PostgreSQL writes before it writes anything else, and without which it gives itself up.
///
/// It is taken when the data is made, and used again and again. So a full disk has statements refused that need more of
/// it, and the server goes on.
enum WriteAheadLog {
  /// MiB of each of its files.
  static let segment = 16
  /// MiB of all files: the server sees to it that it needs no more, unless more comes than it can write elsewhere.
  static let size = 5 * segment

  /// Makes the files behind the first one, as the server itself does when it is ahead of its time.
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
