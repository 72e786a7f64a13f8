import JSON
import EventLoop
import ExtensionProtocol
import JSONRPC
import Synchronization

/// Stands between one extension and the services: finds the handler, asks the allowlist, decodes, sets the deadline,
/// calls, and maps the error; once and for every method.
final class Broker: Sendable {
  private let table: ServiceTable
  private let allowlist: Allowlist
  private let log: any LogSink
  private let deadline: Duration
  private let loop: EventLoop
  private let identity: Caller.Identity
  private let permissions: CallerPermissions
  private let state = Mutex(State())

  /// Where a method leads for this caller; found once.
  private enum Route {
    case handler(Handler, permissions: [String])
    case refused(ErrorObject)
  }

  private struct State {
    var caller: Caller?
    var routes: [String: Route] = [:]
    var tally = WireTally()
  }

  /// Creates the broker of one extension.
  ///
  /// - Parameters:
  ///   - identity: the extension at the other end, known before its handshake ends.
  ///   - permissions: what its user allows it.
  init(
    table: ServiceTable, allowlist: Allowlist, log: any LogSink, deadline: Duration, loop: EventLoop,
    identity: Caller.Identity, permissions: CallerPermissions
  ) {
    self.table = table
    self.allowlist = allowlist
    self.log = log
    self.deadline = deadline
    self.loop = loop
    self.identity = identity
    self.permissions = permissions
  }

  /// The handshake is done: from now on this caller's calls are served.
  func open(to caller: Caller) {
    state.withLock { $0.caller = caller }
  }

  /// What came over the wire that should not have.
  var tally: WireTally { state.withLock { $0.tally } }
}

extension Broker: MessageHandler {
  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    guard let caller = state.withLock({ $0.caller }) else {
      if message.id == nil { return nil }
      throw ExtensionError(.notInitialized, "\(message.method) came before the handshake was over.").errorObject
    }
    caller.process.showsLife()
    switch message.method {
    case Progress.method where message.id != nil, Log.method where message.id != nil:
      throw .invalidRequest("\(message.method) is a notification.")
    case Progress.method:
      return nil
    case Log.method:
      record(try message.params.decode(Log.self), from: caller)
      return nil
    case Ping.method:
      let ping = try message.params.decode(Ping.self)
      return MessageWork { Reply.encoding(Ping.Result(nonce: ping.nonce, uptimeMs: Uptime.milliseconds)) }
    default:
      return try serve(message, for: caller)
    }
  }

  func report(_ event: WireEvent, on connection: Connection) {
    guard let news = state.withLock({ $0.tally.add(event) }) else { return }
    log.log(
      .warning, "unexpected on the wire",
      metadata: ["extension.id": .string(identity.id), "wire.event": .string(news)])
  }

  private func serve(
    _ message: borrowing IncomingMessage, for caller: Caller
  ) throws(ErrorObject) -> MessageWork? {
    let method = message.method
    if let withdrawal = permissions.withdrawal {
      // It is being ended, and until then has nothing of what it could do.
      if message.id == nil { return nil }
      throw withdrawal.errorObject
    }
    switch route(method, for: caller) {
    case .refused(let error):
      if message.id == nil { return nil }
      throw error
    case .handler(let handler, let needed):
      var asks = false
      if !needed.isEmpty, let refusal = permissions.refusal(method, needed) {
        // The first use of a permission asks the user, where there is one at a terminal.
        asks = message.id != nil && permissions.isAskedFor(needed)
        if !asks {
          logRefusal(of: method, refusal.errorObject, to: caller)
          if message.id == nil { return nil }
          throw refusal.errorObject
        }
      }
      let allowed = guarded(try handler.prepare(message, caller), by: needed, method)
      let work = asks ? asking(for: needed, then: allowed) : allowed
      // The caller may wait for less than the host would.
      let asked = message.meta?.deadlineMs.map { Duration.milliseconds(max(0, min($0, 86_400_000))) }
      let longest = max(self.deadline, handler.deadline ?? .zero)
      let deadline = min(longest, asked ?? longest)
      let process = caller.process
      return MessageWork { [loop] in
        let start = loop.time
        let heldBefore = process.timeAsked
        var failed = true
        process.waits(for: 1)
        defer {
          process.waits(for: -1)
          process.recorder.record(.served, method, since: start, at: loop.time, failed: failed)
        }
        do {
          let reply = try await withTimeLimit(
            deadline, on: loop, held: { process.timeAsked &- heldBefore }, work.run)
          failed = false
          return reply
        } catch is DeadlineExceeded {
          throw ExtensionError(.deadlineExceeded, "\(method) took longer than \(deadline).")
        }
      }
    }
  }

  /// Wraps the work of a call so that the user is asked first.
  private func asking(for needed: [String], then work: MessageWork) -> MessageWork {
    MessageWork { [permissions] in
      try await permissions.ask(needed)
      return try await work.run()
    }
  }

  /// Wraps the work of a call so that it ends when a permission that it needs is revoked; so does a stream that it
  /// fills after its answer.
  private func guarded(_ work: MessageWork, by needed: [String], _ method: String) -> MessageWork {
    if needed.isEmpty { return work }
    return MessageWork { [permissions] in
      try await permissions.whileGranted(needed, method, work.run).enclosing { fill in
        // It may have been taken away since the answer.
        try await permissions.whileGranted(needed, method, fill)
      }
    }
  }

  private func route(_ method: String, for caller: Caller) -> Route {
    if let known = state.withLock({ $0.routes[method] }) { return known }
    let route: Route
    if let handler = table[method] {
      let refusal = allowlist.refusal(
        method: method, point: caller.identity.point, entitlements: caller.identity.entitlements)
      let needed = allowlist.permissions(method: method, point: caller.identity.point)
      route = refusal.map { .refused($0.errorObject) } ?? .handler(handler, permissions: needed)
    } else {
      route = .refused(ExtensionError(.methodNotFound, "This host does not serve \(method).").errorObject)
    }
    if case .refused(let error) = route { logRefusal(of: method, error, to: caller) }
    // Methods that the host does not serve are not kept: a peer could name any number of them.
    if table[method] != nil { state.withLock { $0.routes[method] = route } }
    return route
  }

  private func logRefusal(of method: String, _ error: ErrorObject, to caller: Caller) {
    log.log(
      .notice, "refused",
      metadata: [
        "extension.id": .string(caller.identity.id), "rpc.method": .string(method), "why": .string(error.message),
      ])
  }

  private func record(_ line: Log, from caller: Caller) {
    var metadata = LogLimit.fields(line.fields ?? [:])
    metadata["extension.id"] = .string(caller.identity.id)
    log.log(LogEntry(line.level, LogLimit.message(line.message), metadata: metadata, label: .extension))
  }
}
