internal import EventLoop
internal import Files
internal import Glibc

/// A database file that any number of processes have open, behind a ``DatabaseGate``.
///
/// The file is opened, or made, at the first use, and again when another process has replaced it. A file that is found
/// damaged is set aside while no other process writes; the call fails with the reason, and the next one makes a new file.
/// Every call blocks: the owner is an actor on a `SQLiteThread`, and nobody else uses the object.
///
/// `Tables` is what the owner keeps of an open file: its connection and what it has read when it was opened.
package final class SharedFile<Tables> {
  /// Where a file is, and what it is called in messages.
  package struct Place {
    /// What the file is to its user, for example "group store".
    package var name: String
    /// The path of the database; `.gate` and `.notify` are beside it.
    package var path: String
    /// How long to wait for another process that writes.
    package var timeout: Duration
    /// How often to look for commits of other processes that were not announced.
    package var pollInterval: Duration

    package init(name: String, path: String, timeout: Duration, pollInterval: Duration) {
      (self.name, self.path, self.timeout, self.pollInterval) = (name, path, timeout, pollInterval)
    }
  }

  private let place: Place
  private let prepare: () throws(StoreFailure) -> Void
  private let open: () throws(SQLiteError) -> Tables
  private let heard: @Sendable () -> Void
  private var isListening: Bool
  private var file: OpenedFile<Tables>?
  private var foreign: ForeignCommits?

  /// How often the file was opened.
  package private(set) var openings: Int64 = 0

  /// - Parameters:
  ///   - isListening: whether commits of other processes are told from the first opening on. Where the process has no
  ///     descriptor or thread left for that, the next opening tries again.
  ///   - heard: is told of the commits of other processes, on a thread of its own, and now and then without one.
  ///   - prepare: makes the folder, before each opening.
  ///   - open: opens the database, or makes it. No other process writes meanwhile.
  package init(
    _ place: Place, isListening: Bool, heard: @escaping @Sendable () -> Void,
    prepare: @escaping () throws(StoreFailure) -> Void = {}, open: @escaping () throws(SQLiteError) -> Tables
  ) {
    (self.place, self.isListening, self.heard) = (place, isListening, heard)
    (self.prepare, self.open) = (prepare, open)
  }

  /// Runs `body` on the file as it is now.
  ///
  /// - Throws: `unavailable`; `damaged`, after the file was set aside.
  package func read<Value>(_ body: (Tables) throws(SQLiteError) -> Value) throws(StoreFailure) -> Value {
    let file = try opened()
    do throws(SQLiteError) {
      return try body(file.tables)
    } catch {
      throw settle(error, file, isAtGate: false)
    }
  }

  /// Runs `body` while no other process writes. A transaction is the body's own affair.
  ///
  /// - Throws: `unavailable`, also when another process keeps the gate; `damaged`, after the file was set aside.
  package func atGate<Value>(_ body: (Tables) throws(SQLiteError) -> Value) throws(StoreFailure) -> Value {
    let file = try openedAtGate()
    defer { file.gate.give() }
    do throws(SQLiteError) {
      return try body(file.tables)
    } catch {
      throw settle(error, file, isAtGate: true)
    }
  }

  /// Tells other processes of a commit, if there are any who listen.
  package func announce() { file?.announce() }

  /// From now on commits of other processes are told.
  ///
  /// - Throws: `unavailable` when the process has no descriptor or no thread left; the next call tries again.
  package func listen() throws(StoreFailure) {
    isListening = true
    let file = try opened()
    if foreign != nil { return }
    do throws(EventLoopError) {
      try listen(to: file)
    } catch {
      throw .unavailable(
        "Writes of other programs cannot be heard of. \(error)",
        recovery: "Raise the limit of descriptors (ulimit -n).",
        isRetryable: true)
    }
  }

  private func listen(to file: OpenedFile<Tables>) throws(EventLoopError) {
    file.gate.listen()
    foreign = nil
    foreign = try ForeignCommits(path: file.notifyPath, every: place.pollInterval, heard)
  }

  private func opened() throws(StoreFailure) -> OpenedFile<Tables> {
    if let file, file.isCurrent { return file }
    file = nil
    try prepare()
    let new = try OpenedFile(place, open)
    file = new
    openings += 1
    // Who heard of commits to the old file goes on with this one.
    if isListening { try? listen(to: new) }
    return new
  }

  /// The file with its gate taken, which the caller gives back.
  private func openedAtGate() throws(StoreFailure) -> OpenedFile<Tables> {
    for _ in 0..<3 {
      // A file that is open is looked at once, behind the gate.
      let file = if let file { file } else { try opened() }
      do throws(GateError) { try file.gate.take() } catch { throw StoreFailure(error) }
      // It may have been set aside while this process waited.
      if file.isCurrent { return file }
      file.gate.give()
      self.file = nil
    }
    throw .unavailable("The \(place.name) \(place.path) is being replaced.", recovery: "Try again.", isRetryable: true)
  }

  /// Closes a damaged file and sets it aside behind the gate, unless another process has done so.
  private func settle(_ error: SQLiteError, _ file: OpenedFile<Tables>, isAtGate: Bool) -> StoreFailure {
    guard error.kind.isDamage else { return StoreFailure(error, of: place.name) }
    self.file = nil
    if isAtGate { return .damaged(error, place.name, place.path) }
    do throws(GateError) { try file.gate.take() } catch { return StoreFailure(error) }
    defer { file.gate.give() }
    if file.isCurrent { return .damaged(error, place.name, place.path) }
    return .damaged(
      StoreFailure.damage(error, place.name, place.path), setAside: DamagedDatabase.all(beside: place.path).last)
  }
}

/// The open file with its gate.
private final class OpenedFile<Tables> {
  let gate: DatabaseGate
  let tables: Tables
  let notifyPath: String
  private let path: String
  private let notify: Int32
  private let identity: FileIdentity

  /// Opens or makes the file, while no other process writes.
  ///
  /// - Throws: `unavailable`; `damaged` when what is there is no database, after it was set aside.
  init(_ place: SharedFile<Tables>.Place, _ open: () throws(SQLiteError) -> Tables) throws(StoreFailure) {
    path = place.path
    notifyPath = "\(place.path).notify"
    let gate: DatabaseGate
    do throws(GateError) {
      gate = try DatabaseGate(path: "\(place.path).gate", timeout: place.timeout)
      try gate.take()
    } catch {
      throw StoreFailure(error)
    }
    self.gate = gate
    defer { gate.give() }
    do throws(SQLiteError) {
      tables = try open()
    } catch {
      throw error.kind.isDamage ? .damaged(error, place.name, place.path) : StoreFailure(error, of: place.name)
    }
    guard let identity = FileIdentity(path: path) else { throw StoreFailure(.system("find", path, errno)) }
    self.identity = identity
    notify = unsafe Glibc.open(notifyPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  }

  deinit { if notify >= 0 { close(notify) } }

  /// Whether the path still leads to the file that is open: another process may have set it aside.
  var isCurrent: Bool { FileIdentity(path: path) == identity }

  func announce() {
    guard notify >= 0, gate.hasListeners else { return }
    var byte: UInt8 = 1
    _ = unsafe pwrite(notify, &byte, 1, 0)
  }
}

extension StoreFailure {
  /// Sets a damaged file aside. The caller holds its gate.
  fileprivate static func damaged(_ error: SQLiteError, _ name: String, _ path: String) -> StoreFailure {
    .damaged(damage(error, name, path), setAside: DamagedDatabase.setAside(path))
  }

  fileprivate static func damage(_ error: SQLiteError, _ name: String, _ path: String) -> String {
    "The \(name) \(path) is damaged: \(error.message)"
  }
}
