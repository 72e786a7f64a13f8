/// The calls of this side that wait for an answer. Pure: no clock and no bytes. `Waiter` is the type of the waiting
/// caller.
struct CallStateMachine<Waiter> {
  struct Call {
    let waiter: Waiter
    /// When to give up; monotonic nanoseconds.
    var due: UInt64?
    var isCancelled = false
    var watch: Watch?
  }

  /// The deadlines of a call that wants progress reports. Each report postpones the deadline.
  struct Watch {
    let report: @Sendable (CallProgress) -> Void
    /// Nanoseconds from one report to the next.
    let timeout: UInt64?
    /// Until when the deadline can be put off.
    let hardDue: UInt64?
    var last = -Double.infinity
  }

  enum Progressed {
    case tell(@Sendable (CallProgress) -> Void)
    /// It does not grow, or the call is being cancelled.
    case ignore
    case unknown
  }

  enum Begin: Equatable {
    case waiting
    case full
  }

  enum Answer {
    /// The waiter, and whether it has been cancelled meanwhile.
    case resolve(Waiter, isCancelled: Bool)
    case late
    case duplicate
    case unknown
  }

  struct Expired {
    let id: Int64
    let waiter: Waiter
    let isCancelled: Bool
  }

  private let limit: Int
  /// The ids, and in the same places the calls: looking through a few numbers is faster than hashing one.
  private var ids: [Int64] = []
  private var calls: [Call] = []
  private var lastID: Int64 = 0
  /// Given up, not answered. Bounded: a peer that never answers does not fill our memory.
  private var abandoned: Set<Int64> = []

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { calls.isEmpty }
  var count: Int { calls.count }
  /// The call that has waited longest.
  var oldest: Int64? { ids.min() }

  /// Takes a call out; the last one gets its place.
  private mutating func remove(at place: Int) -> Call {
    let last = calls.count - 1
    if place < last {
      ids.swapAt(place, last)
      calls.swapAt(place, last)
    }
    ids.removeLast()
    return calls.removeLast()
  }

  /// A fresh id. Ids are never used twice.
  mutating func nextID() -> Int64 {
    lastID += 1
    return lastID
  }

  mutating func begin(_ id: Int64, _ waiter: Waiter, due: UInt64?, watch: Watch? = nil) -> Begin {
    if calls.count >= limit { return .full }
    ids.append(id)
    calls.append(Call(waiter: waiter, due: due, watch: watch))
    return .waiting
  }

  /// The peer has come so far with a call.
  mutating func progressed(_ id: Int64, to progress: Double, at now: UInt64) -> Progressed {
    guard let place = ids.firstIndex(of: id), var watch = calls[place].watch else { return .unknown }
    guard progress > watch.last, !calls[place].isCancelled else { return .ignore }
    watch.last = progress
    if let timeout = watch.timeout { calls[place].due = min(now &+ timeout, watch.hardDue ?? .max) }
    calls[place].watch = watch
    return .tell(watch.report)
  }

  /// Whether a call with this id waits for its answer.
  func isWaiting(_ id: RequestID) -> Bool { if case .number(let number) = id { ids.contains(number) } else { false } }

  mutating func answered(_ id: RequestID) -> Answer {
    guard case .number(let number) = id else { return .unknown }
    if let place = ids.firstIndex(of: number) {
      let call = remove(at: place)
      return .resolve(call.waiter, isCancelled: call.isCancelled)
    }
    if abandoned.remove(number) != nil { return .late }
    return number >= 1 && number <= lastID ? .duplicate : .unknown
  }

  /// Cancels a call, which then waits until `graceEnds` for an answer.
  ///
  /// - Returns: whether the peer must be notified.
  mutating func cancel(_ id: Int64, graceEnds: UInt64) -> Bool {
    guard let place = ids.firstIndex(of: id), !calls[place].isCancelled else { return false }
    calls[place].isCancelled = true
    calls[place].due = min(calls[place].due ?? .max, graceEnds)
    return true
  }

  /// Removes the calls that are due.
  mutating func expire(at now: UInt64) -> [Expired] {
    let due = ids.indices.filter { (calls[$0].due ?? .max) <= now }
    // From the last one on, as taking one out moves only what is behind it.
    let expired = due.reversed().map { place in
      let id = ids[place]
      let call = remove(at: place)
      if abandoned.count >= 1024 { abandoned.removeAll() }
      abandoned.insert(id)
      return Expired(id: id, waiter: call.waiter, isCancelled: call.isCancelled)
    }
    return expired.sorted { $0.id < $1.id }
  }

  /// When the earliest call is due.
  var nextDue: UInt64? { calls.lazy.compactMap(\.due).min() }

  /// Removes all calls: the connection has ended.
  mutating func close() -> [Waiter] {
    defer {
      ids.removeAll()
      calls.removeAll()
    }
    return zip(ids, calls).sorted { $0.0 < $1.0 }.map(\.1.waiter)
  }
}
