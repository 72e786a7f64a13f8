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
  private let state = Mutex(State())

  private struct State {
    var caller: Caller?
    var tally = WireTally()
  }

  /// - Parameter identity: who is at the other end, also before its handshake is over.
  init(
    table: ServiceTable, allowlist: Allowlist, log: any LogSink, deadline: Duration, loop: EventLoop,
    identity: Caller.Identity
  ) {
    self.table = table
    self.allowlist = allowlist
    self.log = log
    self.deadline = deadline
    self.loop = loop
    self.identity = identity
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
  ) throws(ErrorObject) -> (@Sendable () async throws -> Reply)? {
    guard let caller = state.withLock({ $0.caller }) else {
      if message.id == nil { return nil }
      throw ExtensionError(.notInitialized, "\(message.method) came before the handshake was over.").errorObject
    }
    switch message.method {
    case Log.method:
      record(try message.params.decode(Log.self), from: caller)
      return nil
    case Ping.method:
      let ping = try message.params.decode(Ping.self)
      return { Reply.encoding(Ping.Result(nonce: ping.nonce, uptimeMs: 0)) }
    default:
      return try serve(message, for: caller)
    }
  }

  func report(_ event: WireEvent, on connection: Connection) {
    guard let news = state.withLock({ $0.tally.add(event) }) else { return }
    log.log(.warning, "protocol", metadata: ["extension.id": .string(identity.id), "wire.event": .string(news)])
  }

  private func serve(
    _ message: borrowing IncomingMessage, for caller: Caller
  ) throws(ErrorObject) -> (@Sendable () async throws -> Reply)? {
    let method = message.method
    guard let handler = table[method] else {
      if message.id == nil { return nil }
      throw ExtensionError(.methodNotFound, "This host does not serve \(method).").errorObject
    }
    if let refusal = allowlist.refusal(
      method: method, point: caller.identity.point, entitlements: caller.identity.entitlements)
    {
      log.log(
        .notice, "refused", metadata: ["extension.id": .string(caller.identity.id), "rpc.method": .string(method)])
      throw refusal.errorObject
    }
    let work = try handler.prepare(message, caller)
    return { [deadline, loop] in
      do {
        return try await withDeadline(deadline, on: loop) { try await work() }
      } catch is DeadlineExceeded {
        throw ExtensionError(.deadlineExceeded, "\(method) took longer than \(deadline).")
      }
    }
  }

  private func record(_ line: Log, from caller: Caller) {
    var metadata = line.fields ?? [:]
    metadata["extension.id"] = .string(caller.identity.id)
    let message = String(line.message.prefix(16 << 10))
    log.log(line.level, message, metadata: metadata)
  }
}
