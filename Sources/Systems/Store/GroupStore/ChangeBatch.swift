/// A key after a write.
package struct Change: Sendable, Equatable {
  /// The key that was written.
  package var key: String
  /// `nil` when the key was removed.
  package var bytes: [UInt8]?
  /// The revision of the suite at which the key was written.
  package var revision: Int64

  /// Creates a change; `bytes` is `nil` for a removed key.
  package init(key: String, bytes: [UInt8]?, revision: Int64) {
    self.key = key
    self.bytes = bytes
    self.revision = revision
  }
}

/// What a watcher of a suite receives.
package enum ChangeBatch: Sendable, Equatable {
  /// Every key written after the previous batch up to a revision, in the order of revisions. A key that was written
  /// more than once appears once, with its last value.
  case changed([Change], through: Int64)
  /// The individual changes up to a revision are no longer known. The watcher must take a snapshot; the next batch
  /// continues from the snapshot's revision.
  case compacted(through: Int64)

  /// The revision of the suite after the batch.
  package var through: Int64 {
    switch self {
    case .changed(_, let revision), .compacted(let revision): revision
    }
  }
}

/// The changes in a suite, and the store that reported them.
package struct SuiteDelta: Sendable, Equatable {
  /// The changes.
  package var batch: ChangeBatch
  /// The store that reported them. It differs from an earlier one when the store was replaced.
  package var store: StoreID

  /// Creates a delta of a store.
  package init(_ batch: ChangeBatch, of store: StoreID) {
    self.batch = batch
    self.store = store
  }

  /// Returns the delta for a reader that knows a store. If this delta is from another store it becomes `compacted`,
  /// because its changes do not continue what the reader has seen.
  package func comparedWith(_ known: StoreID?) -> SuiteDelta {
    known == nil || known == store ? self : SuiteDelta(.compacted(through: batch.through), of: store)
  }
}
