/// The memory that one part of a connection keeps for the peer, counted on the peer's ledger. It changes with every
/// message, so it draws on the ledger in steps and keeps a reserve: nearly every change is an addition and a
/// comparison.
///
/// Its owner protects it by a lock or by the owner's thread.
struct LedgerAccount {
  /// What is drawn at once.
  static let step = 64 << 10
  /// The largest reserve, in bytes: drawn from the ledger and not in use.
  static let reserve = 4 * step

  private let ledger: PeerLedger
  /// What is kept, in bytes.
  private(set) var held = 0
  private var drawn = 0

  init(_ ledger: PeerLedger) { self.ledger = ledger }

  @inline(__always)
  mutating func add(_ bytes: Int) { set(held &+ bytes) }

  @inline(__always)
  mutating func remove(_ bytes: Int) { set(held &- bytes) }

  /// What is kept is so much now.
  @inline(__always)
  mutating func set(_ bytes: Int) {
    held = bytes
    if bytes > drawn || drawn &- bytes > Self.reserve { settle() }
  }

  @inline(never)
  private mutating func settle() {
    let wanted = (held + Self.step - 1) / Self.step * Self.step
    if wanted > drawn { ledger.draw(wanted - drawn) } else { ledger.giveBack(drawn - wanted) }
    drawn = wanted
  }

  /// Nothing is kept any more.
  mutating func close() {
    held = 0
    if drawn > 0 { ledger.giveBack(drawn) }
    drawn = 0
  }
}
