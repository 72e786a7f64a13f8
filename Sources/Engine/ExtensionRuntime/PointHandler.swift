public import ExtensionProtocol
import JSONRPC

/// A method that an extension serves at its extension point, called with the context of the request.
public typealias PointHandler = MethodHandler<ExtensionContext>

extension MethodHandler where Context == ExtensionContext {
  /// Serves a request of the user's: the context is that of the request.
  public init<Method: RemoteMethod & RequestScoped>(
    _ type: Method.Type, _ body: @escaping @Sendable (Method, ExtensionContext) async throws -> Method.Result
  ) {
    self.init(answering: type) { params, context in
      Answer(try await body(params, context.scoped(to: params.requestID)))
    }
  }
}

extension MethodHandler where Context == ExtensionSession {
  /// Serves in a session what a point's handler serves in a context.
  public init(_ handler: PointHandler) {
    self.init(method: handler.method, deadline: handler.deadline, isNotification: handler.isNotification) {
      message, session throws(ErrorObject) in
      try handler.prepare(message, ExtensionContext(session: session))
    }
  }
}
