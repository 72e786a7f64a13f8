/// Which store this is: chosen at random when its file is made. One that was set aside and begun anew has another.
package struct StoreID: Hashable, Sendable {
  package let text: String
  package init(_ text: String) { self.text = text }
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
  func comparedWith(_ known: StoreID?) -> SuiteDelta {
    known == nil || known == store ? self : SuiteDelta(.compacted(through: batch.through), of: store)
  }
}
