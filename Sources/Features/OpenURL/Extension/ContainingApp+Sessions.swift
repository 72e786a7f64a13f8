import Contracts
import ExtensionProtocol
import ExtensionRuntime

extension ContainingApp {
  /// What a host calls when transfers of the app's or of its extensions' are over: `session/handleEvents`.
  var eventsHandler: SessionHandler {
    SessionHandler(Sessions.HandleEvents.self) { params, session in
      let owned = session.features.feature(OwnedSessions.self)
      if owned.has(params.sessionID) {
        return Sessions.HandleEvents.Result(acked: await owned.deliver(params, session))
      }
      let context = ExtensionContext(session: session)
      let queue = EventQueue(params.events, ends: true)
      try await handleEvents(
        forBackgroundSession: BackgroundSession(params.sessionID, epoch: params.epoch, tasks: [], queue, context),
        in: context)
      let handled = queue.handled(of: params.events)
      if handled.count == params.events.count {
        _ = try await context.call(Sessions.EventsHandled(sessionID: params.sessionID, epoch: params.epoch))
      }
      return Sessions.HandleEvents.Result(acked: handled)
    }
  }
}
