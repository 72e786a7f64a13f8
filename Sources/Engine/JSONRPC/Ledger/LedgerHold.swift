import Synchronization

/// The memory that one collection keeps for a peer, counted against the peer's ceiling until the hold is released.
/// Every collection that a peer can make grow needs a hold.
public final class LedgerHold: Sendable {
  private let ledger: PeerLedger
  private let bytes = Mutex(0)

  /// Creates a hold of zero bytes.
  package init(on ledger: PeerLedger) { self.ledger = ledger }

  /// Of memory that has been taken.
  init(_ taken: Int, on ledger: PeerLedger) {
    self.ledger = ledger
    bytes.withLock { $0 = taken }
    ledger.draw(taken)
  }

  deinit { ledger.giveBack(bytes.withLock { $0 }) }

  /// What is kept, in bytes.
  public var held: Int { bytes.withLock { $0 } }

  /// Why the peer is being cut off; `nil` while it is not.
  package var excess: PeerLedger.Excess? { ledger.excess }

  /// More has been taken.
  ///
  /// - Returns: whether the peer is within its ceiling; otherwise it is being cut off.
  @discardableResult
  public func add(_ more: Int) -> Bool {
    bytes.withLock { $0 += more }
    return ledger.draw(more)
  }

  /// What is kept is so much now.
  @discardableResult
  public func set(_ now: Int) -> Bool {
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
  public func reserve(_ more: Int) -> Bool {
    guard ledger.reserve(more) else { return false }
    bytes.withLock { $0 += more }
    return true
  }
}
