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

  /// Marks a slot in `numbers` whose id is not a number. A request with this very number is kept by name too.
  private static var noNumber: Int64 { .min }

  private let limit: Int
  private var slots: [Request] = []
  /// The ids by slot. Nearly all ids are numbers, and looking through a few of them is faster than hashing one.
  private var numbers: [Int64] = []
  private var others: [RequestID: Int] = [:]
  private var free: [Int] = []

  init(limit: Int) { self.limit = limit }

  var count: Int { slots.count - free.count }

  mutating func begin(_ id: RequestID) -> Begin {
    if slot(of: id) != nil { return .duplicate }
    if count >= limit { return .full }
    let slot = free.popLast() ?? slots.count
    if slot == slots.count {
      slots.append(Request())
      numbers.append(Self.noNumber)
    }
    if let number = number(of: id) { numbers[slot] = number } else { others[id] = slot }
    return .accepted(slot: slot)
  }

  private func number(of id: RequestID) -> Int64? {
    if case .number(let number) = id, number != Self.noNumber { number } else { nil }
  }

  private func slot(of id: RequestID) -> Int? {
    if let number = number(of: id) { numbers.firstIndex(of: number) } else { others[id] }
  }

  /// True when the work has been cancelled before it began.
  mutating func started(_ slot: Int, _ work: Work) -> Bool {
    slots[slot].work = work
    return slots[slot].isCancelled
  }

  mutating func cancel(_ id: RequestID) -> Cancel {
    guard let slot = slot(of: id) else { return .unknown }
    if slots[slot].isCancelled { return .noted }
    slots[slot].isCancelled = true
    return slots[slot].work.map { .cancel($0) } ?? .noted
  }

  /// The work has ended; its id may be used again.
  mutating func finished(_ id: RequestID, _ slot: Int) {
    if numbers[slot] == Self.noNumber { others[id] = nil }
    numbers[slot] = Self.noNumber
    slots[slot] = Request()
    free.append(slot)
  }
}
