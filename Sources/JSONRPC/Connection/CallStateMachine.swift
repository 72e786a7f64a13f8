/// The calls of this side that wait for an answer. Pure: no clock, no bytes. `Waiter` is whoever waits.
struct CallStateMachine<Waiter> {
  struct Call {
    let waiter: Waiter
    /// When to give up; monotonic nanoseconds.
    var due: UInt64?
    var isCancelled = false
    var watch: Watch?
  }

  /// Of a call whose caller wants to hear how far it has come. Each report puts the deadline off.
  struct Watch {
    let hear: @Sendable (CallProgress) -> Void
    /// Nanoseconds from one report to the next.
    let patience: UInt64?
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
  private var calls: [Int64: Call] = [:]
  private var lastID: Int64 = 0
  /// Given up, not answered. Bounded: a peer that never answers does not fill our memory.
  private var abandoned: Set<Int64> = []

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { calls.isEmpty }
  var count: Int { calls.count }
  /// The call that has waited longest.
  var oldest: Int64? { calls.keys.min() }

  /// A fresh id. Ids are never used twice.
  mutating func nextID() -> Int64 {
    lastID += 1
    return lastID
  }

  mutating func begin(_ id: Int64, _ waiter: Waiter, due: UInt64?, watch: Watch? = nil) -> Begin {
    if calls.count >= limit { return .full }
    calls[id] = Call(waiter: waiter, due: due, watch: watch)
    return .waiting
  }

  /// The peer has come so far with a call.
  mutating func progressed(_ id: Int64, to progress: Double, at now: UInt64) -> Progressed {
    guard var call = calls[id], var watch = call.watch else { return .unknown }
    guard progress > watch.last, !call.isCancelled else { return .ignore }
    watch.last = progress
    if let patience = watch.patience { call.due = min(now &+ patience, watch.hardDue ?? .max) }
    call.watch = watch
    calls[id] = call
    return .tell(watch.hear)
  }

  mutating func answered(_ id: RequestID) -> Answer {
    guard case .number(let number) = id else { return .unknown }
    if let call = calls.removeValue(forKey: number) {
      return .resolve(call.waiter, isCancelled: call.isCancelled)
    }
    if abandoned.remove(number) != nil { return .late }
    return number >= 1 && number <= lastID ? .duplicate : .unknown
  }

  /// True when the peer is to be told; the call waits until `graceEnds` for an answer.
  mutating func cancel(_ id: Int64, graceEnds: UInt64) -> Bool {
    guard var call = calls[id], !call.isCancelled else { return false }
    call.isCancelled = true
    call.due = min(call.due ?? .max, graceEnds)
    calls[id] = call
    return true
  }

  /// Removes the calls that are due.
  mutating func expire(at now: UInt64) -> [Expired] {
    let due = calls.filter { ($0.value.due ?? .max) <= now }
    for id in due.keys {
      calls[id] = nil
      if abandoned.count >= 1024 { abandoned.removeAll() }
      abandoned.insert(id)
    }
    return due.sorted { $0.key < $1.key }.map {
      Expired(id: $0.key, waiter: $0.value.waiter, isCancelled: $0.value.isCancelled)
    }
  }

  /// When the earliest call is due.
  var nextDue: UInt64? { calls.values.lazy.compactMap(\.due).min() }

  /// Removes all calls: the connection has ended.
  mutating func close() -> [Waiter] {
    defer { calls.removeAll() }
    return calls.sorted { $0.key < $1.key }.map(\.value.waiter)
  }
}
