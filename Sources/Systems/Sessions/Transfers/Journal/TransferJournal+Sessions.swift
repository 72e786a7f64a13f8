internal import SQLite

extension TransferJournal {
  /// Creates a session, or gives one that is there to the owner that the record names. Its tasks go on.
  ///
  /// - Returns: the session as it is kept.
  /// - Throws: `stale` when the session has a larger epoch already; `quota`.
  package func open(_ record: SessionRecord) throws(TransferError) -> SessionRecord {
    var record = record
    record.createdAt = Double(options.now().wall) / 1e9
    return try write { try $0.open(record) }
  }

  package func session(_ key: SessionKey) throws(TransferError) -> SessionRecord? {
    try read { tables throws(SQLiteError) in try tables.session(key) }
  }

  package func sessions() throws(TransferError) -> [SessionRecord] {
    try read { tables throws(SQLiteError) in try tables.sessions() }
  }

  /// Gives a session to another owner: from now on smaller epochs are refused.
  package func setEpoch(_ epoch: Int64, owner: String, of key: SessionKey) throws(TransferError) {
    try write { tables in
      _ = try tables.session(key, epoch: epoch)
      try tables.setEpoch(epoch, owner: owner, of: key)
    }
  }

  /// The session takes no more tasks, and ends with the last one.
  ///
  /// - Throws: `noSession`, `stale`.
  package func finishAndInvalidate(_ key: SessionKey, epoch: Int64) throws(TransferError) {
    try write { tables in
      let session = try tables.session(key, epoch: epoch)
      if session.state == .open { try tables.set(.finishing, of: key) }
      try tables.purge(key)
    }
  }

  /// The session takes no more tasks, and all that are not over are cancelled.
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
}
