import CLinux

/// Threads for what blocks: the one place where this project starts any.
package enum SystemThread {
  /// The work of a thread, on its way to it.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Bytes of stack, where nothing else is asked for.
  package static let standardStack = 8 << 20

  /// Starts a thread with all signals blocked, which ends with the body.
  ///
  /// - Parameters:
  ///   - name: shown by `ps -L`; the first 15 bytes count.
  ///   - stack: bytes of stack.
  ///   - body: runs on the thread, once.
  /// - Returns: 0, or the error number when the system has no thread left; then the body never runs.
  package static func start(
    name: String, stack: Int = standardStack, _ body: @escaping @Sendable () -> Void
  ) -> Int32 {
    let context = unsafe Unmanaged.passRetained(Body(body))
    let failure = unsafe clinux_thread_start(
      name, stack,
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard failure == 0 else {
      unsafe context.release()
      return -failure
    }
    return 0
  }

  /// Runs blocking work on a thread of its own, while the caller's executor does something else. Where the system has no
  /// thread left, the work runs where it is called.
  ///
  /// - Parameters:
  ///   - name: shown by `ps -L`; the first 15 bytes count.
  ///   - work: must come to an end by itself: nothing cancels it.
  package static func run<Value: Sendable>(
    name: String, _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let error = start(name: name) { continuation.resume(returning: work()) }
      if error != 0 { continuation.resume(returning: work()) }
    }
  }
}
