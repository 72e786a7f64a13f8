/// The requests of the peer that are being answered. Pure. `Work` is what a cancellation is delivered to.
struct RequestStateMachine<Work> {
  enum Begin: Equatable {
    /// The place of the request until it is finished.
    case accepted(slot: Int)
    case full
    case duplicate
  }

  enum Cancel {
    /// The work runs: cancel it.
    case cancel(Work)
    /// It has not begun, or is cancelled already.
    case noted
    case unknown
  }

  private struct Request {
    var work: Work?
    var isCancelled = false
  }

  private let limit: Int
  private var slots: [Request] = []
  private var free: [Int] = []
  private var ids: [RequestID: Int] = [:]

  init(limit: Int) { self.limit = limit }

  var count: Int { ids.count }

  mutating func begin(_ id: RequestID) -> Begin {
    if ids.count >= limit { return ids[id] == nil ? .full : .duplicate }
    let slot = free.last ?? slots.count
    if let other = ids.updateValue(slot, forKey: id) {
      ids[id] = other
      return .duplicate
    }
    if slot == slots.count { slots.append(Request()) } else { free.removeLast() }
    return .accepted(slot: slot)
  }

  /// True when the work has been cancelled before it began.
  mutating func started(_ slot: Int, _ work: Work) -> Bool {
    slots[slot].work = work
    return slots[slot].isCancelled
  }

  mutating func cancel(_ id: RequestID) -> Cancel {
    guard let slot = ids[id] else { return .unknown }
    if slots[slot].isCancelled { return .noted }
    slots[slot].isCancelled = true
    return slots[slot].work.map { .cancel($0) } ?? .noted
  }

  /// The work has ended; its id may be used again.
  mutating func finished(_ id: RequestID, _ slot: Int) {
    ids[id] = nil
    slots[slot] = Request()
    free.append(slot)
  }
}
