import Contracts
import EventLoop
import ExtensionProtocol
import Synchronization

/// The events of one session on their way from the host to the reader. An event is handled when its reader asks for the
/// next one.
final class EventQueue: Sendable {
  private struct State {
    var pending: [Sessions.Event] = []
    /// The newest event that was taken in: what comes again is not taken twice.
    var lastTaken: Int64 = 0
    var lastHandled: Int64 = 0
    /// The identifier of the event that the reader is handling.
    var inHand: Int64?
    /// Whether the sequence ends after the last event.
    var ends: Bool

    mutating func add(_ events: [Sessions.Event]) {
      for event in events where event.eventID > lastTaken {
        pending.append(event)
        lastTaken = event.eventID
      }
    }

    mutating func next() -> Sessions.Event? {
      if let inHand { lastHandled = max(lastHandled, inHand) }
      let next = pending.isEmpty ? nil : pending.removeFirst()
      inHand = next?.eventID
      return next
    }
  }

  /// A host gives the owner 30 s for its answer: before that, what was handled is acknowledged.
  private static let patience = Duration.seconds(25)

  private let state: Mutex<State>
  private let arrivals = Signal()
  private let progress = Signal()

  /// - Parameter ends: whether there are no events but those that are added now.
  init(_ events: [Sessions.Event] = [], ends: Bool = false) {
    var state = State(ends: ends)
    state.add(events)
    self.state = Mutex(state)
  }

  /// The next event, once it is there; the one before is handled by that. `nil` at the end.
  ///
  /// - Throws: `cancelled` when the task is; the event before is handled all the same.
  func next() async throws(ExtensionError) -> Sessions.Event? {
    while true {
      let seen = arrivals.count
      let (event, ends) = state.withLock { ($0.next(), $0.ends) }
      progress.send()
      if event != nil || ends { return event }
      do { try await arrivals.wait(past: seen) } catch { throw ExtensionError(wrapping: error) }
    }
  }

  /// Takes events in and waits until they are handled, but not for too long.
  ///
  /// - Returns: the identifiers of those that are.
  func deliver(_ events: [Sessions.Event], on loop: EventLoop) async -> [Int64] {
    state.withLock { $0.add(events) }
    arrivals.send()
    let last = events.last?.eventID ?? 0
    try? await withDeadline(Self.patience, on: loop) { [self] in
      while true {
        let seen = progress.count
        if state.withLock({ $0.lastHandled >= last }) { return }
        try await progress.wait(past: seen)
      }
    }
    return handled(of: events)
  }

  /// The identifiers of the events that are handled.
  func handled(of events: [Sessions.Event]) -> [Int64] {
    let last = state.withLock { $0.lastHandled }
    return events.map(\.eventID).filter { $0 <= last }
  }
}
