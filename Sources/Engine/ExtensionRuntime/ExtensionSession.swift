public import ExtensionProtocol
import JSON
package import JSONRPC
import Synchronization

/// An extension's side of the channel: the handshake, the handler table, and calls to the host.
public final class ExtensionSession: Sendable {
  private enum Phase {
    case created
    case initialized(Initialize)
    case terminating(Initialize)
  }

  /// The connection to the host.
  package let connection: Connection
  private let handlers: [String: SessionHandler]
  private let points: [ExtensionPointDefinition]
  private let phase = Mutex(Phase.created)
  private let trace = Mutex(SetTrace.Level.off)
  /// What features keep for this session.
  package let features = SessionFeatures()

  /// The methods that every extension serves in the same way.
  private static let own = [
    Initialize.method, Initialized.method, Ping.method, PermissionsDidChange.method, SetTrace.method, Terminate.method,
  ]

  /// How long a call to the host may take when nothing else is said.
  package static let defaultDeadline = Duration.seconds(30)

  /// - Parameter points: those that the handlers are for.
  package init(connection: Connection, handlers: [SessionHandler], points: [ExtensionPointDefinition] = []) {
    self.connection = connection
    self.points = points
    var table: [String: SessionHandler] = [:]
    for handler in handlers {
      precondition(!Self.own.contains(handler.method), "\(handler.method) is served by the session itself")
      precondition(table.updateValue(handler, forKey: handler.method) == nil, "two handlers serve \(handler.method)")
    }
    self.handlers = table
  }

  /// Serves the host until it hangs up.
  package func run() async {
    _ = await connection.run(handler: self)
  }

  /// What the host said of itself and of this extension; `nil` before the handshake.
  public var parameters: Initialize? {
    phase.withLock {
      switch $0 {
      case .created: nil
      case .initialized(let parameters), .terminating(let parameters): parameters
      }
    }
  }

  /// Calls a method of the host.
  ///
  /// - Parameter deadline: at most this long; 30 s when not given.
  /// - Throws: the host's error, `deadlineExceeded`, or `peerExited` when the host is gone.
  public func call<Method: RemoteMethod>(
    _ method: Method, deadline: Duration? = nil
  ) async throws(ExtensionError) -> Method.Result {
    do {
      return try await connection.call(
        Method.method, method, returning: Method.Result.self, deadline: deadline ?? Self.defaultDeadline)
    } catch {
      throw ExtensionError(error)
    }
  }

  /// Sends a notification; to a host that is gone it is lost.
  public func notify<Notification: RemoteNotification>(_ notification: Notification) async {
    try? await connection.notify(Notification.method, notification)
  }
}

extension ExtensionSession: MessageHandler {
  /// Accepts a message of the host: first by the extension's handlers, then by the session's own.
  package func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    // What the extension itself serves comes first, as nearly all messages are that.
    if let handler = handlers[message.method] { return try serve(message, handler) }
    switch message.method {
    case Initialize.method:
      let result = try initialize(message.params.decode(Initialize.self))
      return MessageWork { Reply.encoding(result) }
    case Initialized.method:
      return nil
    case Ping.method:
      let ping = try message.params.decode(Ping.self)
      return MessageWork { Reply.encoding(Ping.Result(nonce: ping.nonce, uptimeMs: Uptime.milliseconds)) }
    case PermissionsDidChange.method:
      take(try message.params.decode(PermissionsDidChange.self))
      return nil
    case SetTrace.method:
      let level = try message.params.decode(SetTrace.self).value
      trace.withLock { $0 = level }
      return nil
    case Terminate.method:
      phase.withLock { if case .initialized(let parameters) = $0 { $0 = .terminating(parameters) } }
      return MessageWork { Reply.empty.afterwards { await connection.close(.finished) } }
    default:
      return try serve(message, nil)
    }
  }

  /// From now on ``parameters`` says what the user has decided.
  private func take(_ change: PermissionsDidChange) {
    phase.withLock { phase in
      guard case .initialized(var parameters) = phase else { return }
      parameters.permissions[change.name] = change.state.rawValue
      phase = .initialized(parameters)
    }
  }

  /// Says in the host's log what came, when the host wants to read it.
  private func note(_ message: borrowing IncomingMessage, on connection: Connection) {
    let level = trace.withLock { $0 }
    guard level != .off else { return }
    var fields: [String: JSONValue] = ["rpc.method": .string(message.method)]
    if level == .verbose { fields["rpc.params"] = (try? message.params.value()) ?? .null }
    // A line that the queue does not take is lost.
    try? connection.post(Log.method, Log(level: .trace, message: "received", fields: fields, logger: "rpc"))
  }

  private func serve(
    _ message: borrowing IncomingMessage, _ handler: SessionHandler?
  ) throws(ErrorObject) -> MessageWork? {
    note(message, on: connection)
    if message.id == nil { features.receive(message) }
    guard let handler = handler ?? features.handler(of: message.method) else {
      if message.id == nil { return nil }
      throw unserved(message.method).errorObject
    }
    let ready = phase.withLock { if case .created = $0 { false } else { true } }
    guard ready else {
      throw ExtensionError(.notInitialized, "\(message.method) came before initialize.").errorObject
    }
    let method = message.method
    let work = try handler.prepare(message, self)
    return MessageWork {
      do {
        return try await work.run()
      } catch {
        ThrownError.report(error, serving: method)
        throw error
      }
    }
  }

  /// The answer to a call of a method that is not there: what the extension speaks is of use to a newer host.
  private func unserved(_ method: String) -> ExtensionError {
    guard let point = points.first(where: { method.hasPrefix("\($0.prefix)/") }) else {
      return ExtensionError(.methodNotFound, "This extension does not serve \(method).")
    }
    return ExtensionError(
      .methodNotFound,
      "This extension does not serve \(method). It speaks version \(point.version) of the extension point "
        + "\(point.point.rawValue).",
      details: ["method": .string(method), "has": .string(point.version.description)])
  }

  /// What this extension speaks of the host's extension point; `nil` when it is for another.
  ///
  /// - Throws: `versionUnsupported` when the host says no version, so that it would not notice that the two differ.
  private func version(for host: Initialize.Identity) throws(ErrorObject) -> PointVersion? {
    guard let own = points.first(where: { $0.point == host.point })?.version else { return nil }
    guard host.pointVersion == nil, own.major != PointVersion.first.major else { return own }
    throw ExtensionError(
      .versionUnsupported,
      "This extension speaks version \(own) of the extension point \(host.point.rawValue), and the host 1.0: "
        + "the host has to move.",
      recovery: "Use a host that speaks version \(own.major) of the extension point."
    ).errorObject
  }

  private func initialize(_ parameters: Initialize) throws(ErrorObject) -> Initialize.Result {
    guard let version = ProtocolVersion.negotiate(offered: parameters.protocolVersions) else {
      throw ExtensionError(
        .versionUnsupported,
        "The host offers protocol \(parameters.protocolVersions.joined(separator: ", ")); "
          + "this extension speaks \(ProtocolVersion.supported.joined(separator: ", ")).",
        details: ["supported": .array(ProtocolVersion.supported.map { .string($0) })]
      ).errorObject
    }
    let pointVersion = try self.version(for: parameters.extension)
    let first = phase.withLock { phase in
      guard case .created = phase else { return false }
      phase = .initialized(parameters)
      return true
    }
    guard first else { throw ExtensionError(.alreadyInitialized, "initialize came twice.").errorObject }
    return Initialize.Result(
      protocolVersion: version, sdk: Peer(name: "AppExtensions", version: "0.1.0", language: "swift"),
      pointVersion: pointVersion)
  }
}
