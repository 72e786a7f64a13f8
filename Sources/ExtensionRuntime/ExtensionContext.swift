public import ExtensionProtocol
public import JSONRPC

/// What an extension knows while it serves one request, and its way to the host's services.
public struct ExtensionContext: Sendable {
  /// The request that the host is waiting for.
  public let requestID: String
  package let session: ExtensionSession

  /// What the point's own room keeps for the length of the request; its accessors read it.
  package let scope: (any Sendable)?

  package init(requestID: String, session: ExtensionSession, scope: (any Sendable)? = nil) {
    self.requestID = requestID
    self.session = session
    self.scope = scope
  }

  /// What the host said at the handshake: who the extension is, its directories, its permissions.
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
