internal import SQLite

extension TransferJournal {
  /// Creates a session, or gives an existing one to the owner in the record. Existing tasks continue.
  ///
  /// - Returns: the session as it is stored.
  /// - Throws: `stale` when the session was taken under a later lease of the same store; `quota`.
  package func open(_ record: SessionRecord) throws(TransferError) -> SessionRecord {
    var record = record
    record.createdAt = Double(options.now().wall) / 1e9
    return try write { try $0.open(record) }
  }

  /// Returns a session, or `nil`.
  package func session(_ key: SessionKey) throws(TransferError) -> SessionRecord? {
    try read { tables throws(SQLiteError) in try tables.session(key) }
  }

  /// Returns all stored sessions.
  package func sessions() throws(TransferError) -> [SessionRecord] {
    try read { tables throws(SQLiteError) in try tables.sessions() }
  }

  /// Gives a session to another owner, who has a lease of a store. From then on the journal refuses smaller epochs.
  ///
  /// - Returns: the session's epoch.
  /// - Throws: `stale` for an older lease, `noSession`.
  @discardableResult
  package func take(
    _ key: SessionKey, token: Int64, of store: String = "", owner: String
  ) throws(TransferError) -> Int64 {
    try write { try $0.take(key, token: token, of: store, owner: owner) }
  }

  /// Accepts no more tasks for the session, which ends when its last task ends.
  ///
  /// - Throws: `noSession`, `stale`.
  package func finishAndInvalidate(_ key: SessionKey, epoch: Int64) throws(TransferError) {
    try write { tables in
      let session = try tables.session(key, epoch: epoch)
      if session.state == .open { try tables.set(.finishing, of: key) }
      try tables.purge(key)
    }
  }

  /// Accepts no more tasks for the session and cancels its unfinished tasks.
  ///
  /// - Throws: `noSession`, `stale`.
  package func invalidateAndCancel(_ key: SessionKey, epoch: Int64) throws(TransferError) {
    let files = try write { tables in
      _ = try tables.session(key, epoch: epoch)
      let files = try tables.cancel(tables.tasks(key))
      try tables.set(.invalidated, of: key)
      try tables.purge(key)
      return files
    }
    for file in files { folder.remove(file) }
  }

  /// Returns the sessions of an app that have neither tasks nor events, the oldest first.
  package func emptySessions(of app: String) throws(TransferError) -> [SessionKey] {
    try read { tables throws(SQLiteError) in try tables.emptySessions(of: app) }
  }

  /// Removes a session with its tasks and events, whoever has it.
  ///
  /// - Parameter ifEmpty: whether one with tasks stays.
  /// - Returns: whether it is gone.
  @discardableResult
  package func remove(_ key: SessionKey, ifEmpty: Bool = false) throws(TransferError) -> Bool {
    guard let files = try write({ try $0.remove(key, ifEmpty: ifEmpty) }) else { return false }
    for file in files { folder.remove(file) }
    return true
  }
}
