public import ExtensionProtocol
public import JSON
public import JSONRPC

/// What an extension knows while it serves one request, and its way to the host's services.
public struct ExtensionContext: Sendable {
  /// The request that the host is waiting for.
  public let requestID: String
  /// The channel to the host.
  public let session: ExtensionSession

  /// What the extension point keeps for the length of the request; its accessors read it.
  public let scope: (any Sendable)?

  /// The context of a call.
  ///
  /// - Parameters:
  ///   - requestID: the request that the call belongs to; empty where it belongs to none.
  ///   - session: the channel to the host.
  ///   - scope: what an extension point keeps for the length of the request, for accessors of its own.
  public init(requestID: String = "", session: ExtensionSession, scope: (any Sendable)? = nil) {
    self.requestID = requestID
    self.session = session
    self.scope = scope
  }

  /// The same context for a request.
  func scoped(to requestID: String) -> ExtensionContext {
    ExtensionContext(requestID: requestID, session: session, scope: scope)
  }

  /// The parameters of the handshake: the extension's identity, its directories, its permissions.
  public var host: Initialize? { session.parameters }

  /// Calls a method of a host service.
  ///
  /// - Throws: the host's error; `deadlineExceeded` after 30 s unless another deadline is given.
  public func call<Method: RemoteMethod>(
    _ method: Method, deadline: Duration? = nil
  ) async throws(ExtensionError) -> Method.Result {
    try await session.call(method, deadline: deadline)
  }

  /// Writes a line to the host's log.
  public func log(_ level: LogLevel, _ message: String, fields: [String: JSONValue]? = nil) async {
    await session.notify(Log(level: level, message: message, fields: fields))
  }
}

extension ExtensionContext {
  /// Reports the progress of this request to the host, if the host asked for reports. Each report extends the deadline
  /// of the request, up to a limit.
  ///
  /// - Parameters:
  ///   - progress: a number larger than in the last report; other reports are dropped. At most ten reports a second are
  ///     sent, the last of several.
  ///   - total: the value of `progress` at the end, when it is known.
  ///   - message: one line for the user.
  public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) {
    ProgressReporter.current?.report(CallProgress(progress, total: total, message: message))
  }
}

extension ExtensionContext {
  /// Opens a stream to the host: pass its `id` in the params of a call, and send what is too large for one message.
  ///
  /// - Throws: `queueFull` when too many streams are open, `peerExited` when the host is gone.
  public func openStream() throws(ExtensionError) -> OutgoingStream {
    do { return try session.connection.openStream() } catch { throw ExtensionError(error) }
  }

  /// Returns a stream of the host, whose `id` arrived in a result or in the params of a request.
  ///
  /// - Throws: `streamUnknown` when the stream is being read already or has ended.
  public func stream(_ id: String) throws(ExtensionError) -> IncomingStream {
    do { return try session.connection.incomingStream(id) } catch { throw ExtensionError(error) }
  }
}
