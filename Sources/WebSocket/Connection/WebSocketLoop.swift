package import EventLoop

/// The thread that drives all connections of one server or one client. It ends with its last reference, and each
/// connection holds it until it is over.
package final class WebSocketLoop: Sendable {
  package let loop: EventLoop

  /// - Throws: why the system gives no thread or no descriptor.
  package init() throws(EventLoopError) { loop = try EventLoop.started(name: "web-sockets", spin: .zero) }

  deinit { loop.stop() }

  /// Runs something on the thread, soon.
  package func execute(_ action: @escaping @Sendable () -> Void) { loop.execute(action) }
}
