package import JSONRPC

/// A method that one side serves: its wire name, and the code that runs for it. `Context` is the caller on the host's
/// side and the session on the extension's.
///
/// Params are decoded on the connection's loop, in arrival order, before the handler runs. A failure there is
/// `invalidParams` with the key path.
public struct MethodHandler<Context: Sendable>: Sendable {
  /// The wire name, `prefix/name`.
  public let method: String
  /// The deadline of the handler; see ``RemoteMethod/serviceDeadline``.
  package let deadline: Duration?
  /// Whether the method is a notification, which has no answer.
  package let isNotification: Bool
  /// Decodes the params on the connection's loop and returns the work of the handler.
  package let prepare: @Sendable (borrowing IncomingMessage, Context) throws(ErrorObject) -> MessageWork

  /// Serves a request: the body's return value is the result, what it throws is the error.
  public init<Method: RemoteMethod>(
    _ type: Method.Type, _ body: @escaping @Sendable (Method, Context) async throws -> Method.Result
  ) {
    method = Method.method
    deadline = Method.serviceDeadline
    isNotification = false
    // Not by way of the other initializer: a closure in a closure is one more frame of every request's task.
    prepare = { message, context throws(ErrorObject) in
      let params = try message.params.decode(Method.self)
      return MessageWork { Reply.encoding(try await body(params, context)) }
    }
  }

  /// Serves a request with more to do than to give a value back: to fill a stream, or to go on with something once the
  /// answer is on its way.
  public init<Method: RemoteMethod>(
    answering type: Method.Type,
    _ body: @escaping @Sendable (Method, Context) async throws -> Answer<Method.Result>
  ) {
    method = Method.method
    deadline = Method.serviceDeadline
    isNotification = false
    prepare = { message, context throws(ErrorObject) in
      let params = try message.params.decode(Method.self)
      return MessageWork { try await body(params, context).reply }
    }
  }

  /// Creates a handler of a notification. Errors of the body are dropped, as a notification has no answer.
  public init<Notification: RemoteNotification>(
    notification type: Notification.Type, _ body: @escaping @Sendable (Notification, Context) async throws -> Void
  ) {
    method = Notification.method
    deadline = nil
    isNotification = true
    prepare = { message, context throws(ErrorObject) in
      let params = try message.params.decode(Notification.self)
      return MessageWork {
        try await body(params, context)
        return Reply.empty
      }
    }
  }

  /// What serves in one context by what serves in another.
  package init(
    method: String, deadline: Duration?, isNotification: Bool,
    prepare: @escaping @Sendable (borrowing IncomingMessage, Context) throws(ErrorObject) -> MessageWork
  ) {
    self.method = method
    self.deadline = deadline
    self.isNotification = isNotification
    self.prepare = prepare
  }
}
