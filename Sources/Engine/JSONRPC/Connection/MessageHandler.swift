/// What serves the requests and notifications of a peer.
package protocol MessageHandler: Sendable {
  /// Takes a message: decodes its params now, and gives the work to be done.
  ///
  /// Runs on the connection's loop, in the order of arrival, and must not block. The work runs as a task of its own,
  /// beside others; it is started at once and, as long as it does not suspend, is done before the next message.
  ///
  /// - Returns: the work; `nil` for a notification that is done. What the work of a notification returns is dropped.
  /// - Throws: the error that a request is answered with.
  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork?

  /// Receives an event of the wire that should not have happened. Called on the connection's loop; must not block.
  func report(_ event: WireEvent, on connection: Connection)
}

extension MessageHandler {
  /// Ignores the event.
  package func report(_ event: WireEvent, on connection: Connection) {}
}

/// A side that only calls: every request is answered with "method not found".
package struct NoHandler: MessageHandler {
  /// Creates a handler that serves no method.
  package init() {}

  /// Refuses a request with `methodNotFound` and ignores a notification.
  package func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    if message.id == nil { return nil }
    throw .methodNotFound(message.method)
  }
}

/// What is to be done for a message, in a task of its own.
///
/// A struct and not the bare closure: an optional closure, or one in a generic type, is wrapped once at each border
/// that it passes, and every wrapping is an allocation and a further frame of the task.
package struct MessageWork: Sendable {
  /// The work, which returns the reply; the reply of a notification is not sent.
  package let run: @Sendable () async throws -> Reply

  /// Creates work from a closure.
  package init(_ run: @escaping @Sendable () async throws -> Reply) { self.run = run }
}
