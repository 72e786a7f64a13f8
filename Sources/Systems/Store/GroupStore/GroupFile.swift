import Files
import Glibc
import SQLite

/// The open file of a store with its gate. Belongs to the store's thread.
final class GroupFile {
  let path: String
  let gate: DatabaseGate
  let tables: GroupTables
  /// Which store the file holds.
  let store: StoreID
  private let notify: Int32
  private let identity: FileIdentity

  /// Opens or makes the file, while no other process writes.
  ///
  /// - Throws: `unavailable`; `corrupt` when what is there is no database, after it was set aside.
  init(options: SQLiteGroupBackend.Options) throws(GroupStoreError) {
    path = options.path
    let gate: DatabaseGate
    do throws(GateError) {
      gate = try DatabaseGate(path: "\(options.path).gate", timeout: options.timeout)
      try gate.take()
    } catch {
      throw GroupStoreError(error)
    }
    self.gate = gate
    defer { gate.give() }
    do throws(SQLiteError) {
      tables = try GroupTables(path: path, options: options.database, limits: options.limits)
      store = try tables.identity()
      if StoreCheck.isDue(path) {
        if let damage = try tables.damage() { throw SQLiteError(kind: .corrupt, message: damage, path: path) }
        StoreCheck.done(path)
      }
    } catch {
      throw StoreFailure.translate(error, path: options.path)
    }
    guard let identity = FileIdentity(path: path) else { throw GroupStoreError(.system("find", path, errno)) }
    self.identity = identity
    notify = open(Self.notifyPath(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  }

  deinit { if notify >= 0 { close(notify) } }

  static func notifyPath(_ path: String) -> String { "\(path).notify" }

  /// Whether the path still leads to the file that is open: another process may have set it aside.
  var isCurrent: Bool { FileIdentity(path: path) == identity }

  /// Tells other processes of a commit, if there are any who listen.
  func announce() {
    guard notify >= 0, gate.hasListeners else { return }
    var byte: UInt8 = 1
    _ = pwrite(notify, &byte, 1, 0)
  }
}
