import Synchronization

/// What one collection keeps for a peer, on the peer's ledger, until the hold is let go.
package final class LedgerHold: Sendable {
  private let ledger: PeerLedger
  private let bytes = Mutex(0)

  package init(on ledger: PeerLedger) { self.ledger = ledger }

  /// Of memory that has been taken.
  init(_ taken: Int, on ledger: PeerLedger) {
    self.ledger = ledger
    bytes.withLock { $0 = taken }
    ledger.draw(taken)
  }

  deinit { ledger.giveBack(bytes.withLock { $0 }) }

  /// What is kept, in bytes.
  package var held: Int { bytes.withLock { $0 } }

  /// Why the peer is being cut off; `nil` while it is not.
  package var excess: PeerLedger.Excess? { ledger.excess }

  /// More has been taken.
  ///
  /// - Returns: whether the peer is within its ceiling; otherwise it is being cut off.
  @discardableResult
  package func add(_ more: Int) -> Bool {
    bytes.withLock { $0 += more }
    return ledger.draw(more)
  }

  /// What is kept is so much now.
  @discardableResult
  package func set(_ now: Int) -> Bool {
    let before = bytes.withLock { bytes in
      defer { bytes = now }
      return bytes
    }
    if now > before { return ledger.draw(now - before) }
    ledger.giveBack(before - now)
    return true
  }

  /// More is about to be taken, if there is space.
  ///
  /// - Returns: whether there was.
  package func reserve(_ more: Int) -> Bool {
    guard ledger.reserve(more) else { return false }
    bytes.withLock { $0 += more }
    return true
  }
}
