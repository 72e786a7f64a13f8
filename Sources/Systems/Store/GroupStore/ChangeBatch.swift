/// A key after a write.
package struct Change: Sendable, Equatable {
  package var key: String
  /// `nil` when the key was removed.
  package var bytes: [UInt8]?
  package var revision: Int64

  package init(key: String, bytes: [UInt8]?, revision: Int64) {
    self.key = key
    self.bytes = bytes
    self.revision = revision
  }
}

/// What a watcher of a suite is told.
package enum ChangeBatch: Sendable, Equatable {
  /// Every key written after the last batch, up to a revision of the suite, in the order of the revisions. A key that
  /// was written more than once is listed once, with its last value.
  case changed([Change], through: Int64)
  /// The changes up to a revision are no longer known one by one: take a snapshot, whose revision the next batch
  /// follows.
  case compacted(through: Int64)

  /// The suite's revision that the batch leads to.
  package var through: Int64 {
    switch self {
    case .changed(_, let revision), .compacted(let revision): revision
    }
  }
}

/// What changed in a suite, and which store said so.
package struct SuiteDelta: Sendable, Equatable {
  package var batch: ChangeBatch
  package var store: StoreID

  package init(_ batch: ChangeBatch, of store: StoreID) {
    self.batch = batch
    self.store = store
  }

  /// The changes, for somebody who knows a store: those of another one follow nothing that it has seen.
  package func comparedWith(_ known: StoreID?) -> SuiteDelta {
    known == nil || known == store ? self : SuiteDelta(.compacted(through: batch.through), of: store)
  }
}
