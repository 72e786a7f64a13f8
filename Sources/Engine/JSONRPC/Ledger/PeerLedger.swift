import JSON
import Synchronization

/// The memory that this side keeps on behalf of one peer, in bytes: messages that wait or are handled, answers that
/// were not taken, streams, and what services collect for the peer. Every collection that a peer can make grow draws on
/// the ledger of its connection and returns what it frees.
///
/// A peer that exceeds the ceiling is cut off once, with the figure and the ceiling. What changes with every message
/// goes through a ``LedgerAccount``, the rest through a ``LedgerHold``.
package final class PeerLedger: Sendable {
  /// More was kept than may be. Both in bytes.
  package struct Excess: Error, Sendable, Hashable {
    /// What was kept when it was seen.
    package let held: Int
    /// The ceiling.
    package let ceiling: Int
  }

  private struct State {
    var held = 0
    var most = 0
    var excess: Excess?
    var hearers: [@Sendable (Excess) -> Void] = []
  }

  /// What may be kept, in bytes.
  package let ceiling: Int
  private let state = Mutex(State())

  /// - Parameter ceiling: in bytes; without one everything is counted, and nothing is too much.
  package init(ceiling: Int = .max) { self.ceiling = ceiling }

  /// What is kept now, in bytes. Accounts draw in steps, so it may be some steps more than what they hold.
  package var held: Int { state.withLock { $0.held } }
  /// The most that was kept at one time, in bytes.
  package var most: Int { state.withLock { $0.most } }
  /// The first time that it was too much; `nil` while it was not.
  package var excess: Excess? { state.withLock { $0.excess } }

  /// What a value takes in memory that came as so many bytes of JSON text.
  ///
  /// - Parameter values: how many values, members' names among them, the text is made of.
  @inline(__always)
  package static func weight(bytes: Int, values: Int) -> Int { bytes &+ values &* JSONValue.bytesOfValue }

  /// Calls `hear` once when the ceiling is exceeded, or at once when it has been. The call may happen under a lock of
  /// the code that reserved the memory, so `hear` only leaves a note for later.
  package func whenExceeded(_ hear: @escaping @Sendable (Excess) -> Void) {
    let excess = state.withLock { state in
      if state.excess == nil { state.hearers.append(hear) }
      return state.excess
    }
    if let excess { hear(excess) }
  }

  /// Notes memory that has been taken.
  ///
  /// - Returns: whether the peer is within its ceiling, and always was.
  @discardableResult
  package func draw(_ bytes: Int) -> Bool {
    let (excess, hearers) = state.withLock { state -> (Excess?, [@Sendable (Excess) -> Void]) in
      state.held += bytes
      state.most = max(state.most, state.held)
      if state.excess == nil, state.held > ceiling { state.excess = Excess(held: state.held, ceiling: ceiling) }
      guard state.excess != nil else { return (nil, []) }
      defer { state.hearers = [] }
      return (state.excess, state.hearers)
    }
    guard let excess else { return true }
    for hear in hearers { hear(excess) }
    return false
  }

  /// Reserves memory if the ceiling allows it. A refusal does not cut the peer off.
  ///
  /// - Returns: whether the memory was reserved.
  package func reserve(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard bytes <= ceiling - min(ceiling, state.held) else { return false }
      state.held += bytes
      state.most = max(state.most, state.held)
      return true
    }
  }

  /// Notes memory that is free again.
  package func giveBack(_ bytes: Int) { state.withLock { $0.held -= bytes } }
}

extension PeerLedger.Excess: CustomStringConvertible {
  /// A clause for people, with figures in MiB.
  package var description: String {
    "it held \(Self.mebibytes(held)) MiB of this side's memory, and \(Self.mebibytes(ceiling)) MiB are allowed"
  }

  private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }
}
