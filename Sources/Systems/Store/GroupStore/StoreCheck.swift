import Files
import Glibc
package import SQLite
import Time

/// Whether the pages of a store are sound: looked at once a day, as it costs a read of the whole file, and when somebody
/// asks.
package enum StoreCheck {
  /// Seconds between two looks.
  private static let interval = 86_400

  /// The file whose time says when the last look was.
  private static func stamp(_ path: String) -> String { "\(path).checked" }

  static func isDue(_ path: String) -> Bool {
    var info = stat()
    guard stat(stamp(path), &info) == 0 else { return true }
    let age = Int(UnixTime.now.seconds) - info.st_mtim.tv_sec
    // A clock that was set back is no reason to wait for it.
    return age < 0 || age >= interval
  }

  static func done(_ path: String) {
    let descriptor = open(stamp(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
  }

  /// What is wrong with a store, in SQLite's words; `nil` when it is sound. Changes nothing of it.
  ///
  /// - Throws: `SQLiteError` when it cannot be looked at, for example because it is no store.
  package static func damage(at path: String) throws(SQLiteError) -> String? {
    let options = DatabaseOptions(
      applicationID: GroupTables.applicationID, busyTimeout: .seconds(5), isReadOnly: true)
    return try GroupTables(path: path, options: options, limits: BackendLimits()).damage()
  }
}
