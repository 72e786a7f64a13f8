/// The requests of the peer that are being answered. Pure. `Work` is what a cancellation is delivered to.
struct RequestStateMachine<Work> {
  enum Begin: Equatable {
    case accepted
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
  private var requests: [RequestID: Request] = [:]

  init(limit: Int) { self.limit = limit }

  var count: Int { requests.count }

  mutating func begin(_ id: RequestID) -> Begin {
    if requests[id] != nil { return .duplicate }
    if requests.count >= limit { return .full }
    requests[id] = Request()
    return .accepted
  }

  /// True when the work has been cancelled before it began.
  mutating func started(_ id: RequestID, _ work: Work) -> Bool {
    guard let isCancelled = requests[id]?.isCancelled else { return false }
    requests[id]?.work = work
    return isCancelled
  }

  mutating func cancel(_ id: RequestID) -> Cancel {
    guard let request = requests[id] else { return .unknown }
    if request.isCancelled { return .noted }
    requests[id]?.isCancelled = true
    return request.work.map { .cancel($0) } ?? .noted
  }

  /// The work has ended; its id may be used again.
  mutating func finished(_ id: RequestID) { requests[id] = nil }
}
