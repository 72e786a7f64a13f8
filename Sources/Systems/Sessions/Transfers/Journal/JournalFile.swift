internal import Files
internal import Glibc
internal import SQLite

/// The open file of a journal with its gate. Belongs to the journal's thread.
final class JournalFile {
  let path: String
  let gate: DatabaseGate
  let tables: JournalTables
  private let notify: Int32
  private let identity: FileIdentity?

  /// Opens or makes the file, while no other process writes, and removes the files that ended processes left behind.
  ///
  /// - Throws: `unavailable`; `corrupt` when what is there is no database, after it was set aside.
  init(_ options: TransferJournal.Options) throws(TransferError) {
    let folder = JournalFolder(path: options.folder)
    try folder.make()
    path = options.path
    let gate: DatabaseGate
    do throws(GateError) {
      gate = try DatabaseGate(path: "\(options.path).gate", timeout: options.timeout)
      try gate.take()
    } catch {
      throw TransferError(error)
    }
    self.gate = gate
    defer { gate.give() }
    // Numbers that an owner may remember from the journal before are not given again.
    let wasDamaged = !DamagedDatabase.all(beside: options.path).isEmpty
    do throws(SQLiteError) {
      tables = try JournalTables(
        path: options.path, options: options.database, limits: options.limits,
        firstNumber: wasDamaged ? options.now().wall / 1_000_000 : 1)
      folder.sweep(except: try tables.files())
    } catch {
      throw TransferError(error, path: options.path)
    }
    identity = FileIdentity(path: options.path)
    notify = unsafe open(Self.notifyPath(options.path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  }

  deinit { if notify >= 0 { close(notify) } }

  static func notifyPath(_ path: String) -> String { "\(path).notify" }

  /// Whether the path still leads to the file that is open: another process may have set it aside.
  var isCurrent: Bool { identity != nil && FileIdentity(path: path) == identity }

  /// Tells other processes of a commit, if there are any who listen.
  func announce() {
    guard notify >= 0, gate.hasListeners else { return }
    var byte: UInt8 = 1
    _ = unsafe pwrite(notify, &byte, 1, 0)
  }
}

extension TransferError {
  /// What SQLite reports, in the journal's terms. A damaged file is set aside; the caller holds the gate.
  init(_ error: SQLiteError, path: String) {
    switch error.kind {
    case .corrupt, .notADatabase:
      self = .corrupt(
        "The journal \(path) is damaged: \(error.message)", setAside: DamagedDatabase.setAside(path))
    case .busy, .full, .io, .cannotOpen, .interrupted:
      self = .unavailable("The journal failed: \(error.message)", recovery: error.recovery, isRetryable: true)
    default:
      self = .unavailable("The journal failed: \(error.message)", recovery: error.recovery, isRetryable: false)
    }
  }
}
