internal import SQLite

extension TransferJournal {
  /// What the owner of a session was not told yet, or has not acknowledged, oldest first.
  ///
  /// - Parameters:
  ///   - id: only events after this one.
  ///   - count: how many at most.
  package func events(
    of key: SessionKey, after id: Int64 = 0, atMost count: Int = 1_000
  ) throws(TransferError) -> [TransferEvent] {
    try read { tables throws(SQLiteError) in try tables.events(of: key, after: id, atMost: count) }
  }

  /// The sessions with events that are not acknowledged, and how many these are.
  package func unacknowledged() throws(TransferError) -> [SessionKey: Int] {
    try read { tables throws(SQLiteError) in try tables.unacknowledged() }
  }

  /// The owner was told: these events are never given again. Tasks that are over, and sessions that are, go with their
  /// last event. Events that are not there are no error.
  ///
  /// - Throws: `noSession`, `stale`.
  package func acknowledge(_ ids: [Int64], of key: SessionKey, epoch: Int64) throws(TransferError) {
    try write { tables in
      _ = try tables.session(key, epoch: epoch)
      try tables.acknowledge(ids, of: key)
    }
  }
}
