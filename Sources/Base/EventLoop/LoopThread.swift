/// An event loop with a thread of its own, which ends with the last reference, after what was asked of it before. Whatever
/// lives on the loop holds it.
package final class LoopThread: Sendable {
  package let loop: EventLoop

  /// - Parameters: as for ``EventLoop/started(name:spin:stack:)``.
  /// - Throws: why the system gives no thread or no descriptor.
  package init(name: String, spin: Duration = EventLoop.defaultSpin) throws(EventLoopError) {
    loop = try EventLoop.started(name: name, spin: spin)
  }

  deinit { loop.execute { [loop] in loop.stop() } }
}
