import Files
import Glibc
package import SQLite
import Time

/// Checks whether the pages of a store are sound: once a day, because the check reads the whole file, and on request.
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

  /// Returns SQLite's description of damage to a store; `nil` when it is sound. Does not change the file.
  ///
  /// - Throws: `SQLiteError` when the file cannot be checked, for example because it is not a store.
  package static func damage(at path: String) throws(SQLiteError) -> String? {
    let options = DatabaseOptions(
      applicationID: GroupTables.applicationID, busyTimeout: .seconds(5), isReadOnly: true)
    return try GroupTables(path: path, options: options, limits: BackendLimits()).damage()
  }
}
