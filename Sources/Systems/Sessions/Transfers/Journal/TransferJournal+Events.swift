internal import SQLite

extension TransferJournal {
  /// Returns the undelivered and unacknowledged events of a session, oldest first.
  ///
  /// - Parameters:
  ///   - id: only events after this one are returned.
  ///   - count: the most events to return.
  package func events(
    of key: SessionKey, after id: Int64 = 0, atMost count: Int = 1_000
  ) throws(TransferError) -> [TransferEvent] {
    try read { tables throws(SQLiteError) in try tables.events(of: key, after: id, atMost: count) }
  }

  /// The sessions with events that are not acknowledged, and how many these are.
  package func unacknowledged() throws(TransferError) -> [SessionKey: Int] {
    try read { tables throws(SQLiteError) in try tables.unacknowledged() }
  }

  /// Marks events as delivered, so that they are not delivered again. Finished tasks and invalidated sessions are
  /// removed with their last event. Unknown events are ignored.
  ///
  /// - Throws: `noSession`, `stale`.
  package func acknowledge(_ ids: [Int64], of key: SessionKey, epoch: Int64) throws(TransferError) {
    try write { tables in
      _ = try tables.session(key, epoch: epoch)
      try tables.acknowledge(ids, of: key)
    }
  }
}
