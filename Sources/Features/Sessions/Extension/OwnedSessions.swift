import Contracts
import ExtensionProtocol
import ExtensionRuntime
import JSON
import Synchronization
import Text

/// The background sessions that this process has, and where their events go.
final class OwnedSessions: SessionFeature {
  private let queues = Mutex<[ExactText: EventQueue]>([:])

  var handlers: [SessionHandler] {
    [
      SessionHandler(Sessions.HandleEvents.self) { [weak self] params, session in
        Sessions.HandleEvents.Result(acked: await self?.deliver(params, session) ?? [])
      }
    ]
  }

  /// Where the events of a session go from now on: the host may send the first right behind its answer.
  func queue(of identifier: String) -> EventQueue {
    queues.withLock { queues in
      if let known = queues[ExactText(identifier)] { return known }
      let queue = EventQueue()
      queues[ExactText(identifier)] = queue
      return queue
    }
  }

  /// Whether this process has a session.
  func has(_ identifier: String) -> Bool { queues.withLock { $0[ExactText(identifier)] != nil } }

  func forget(_ identifier: String) { queues.withLock { _ = $0.removeValue(forKey: ExactText(identifier)) } }

  /// Hands events to the reader of a session.
  ///
  /// - Returns: the identifiers of the events that are handled.
  func deliver(_ params: Sessions.HandleEvents, _ session: ExtensionSession) async -> [Int64] {
    guard let queue = queues.withLock({ $0[ExactText(params.sessionID)] }) else { return [] }
    return await queue.deliver(params.events, on: session.connection.loop)
  }
}
