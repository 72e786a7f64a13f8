import CLinux
import CommandRuntime
import EventLoop
import Glibc

/// Ends a command when the user interrupts it: SIGINT, SIGTERM, and SIGHUP of a terminal that goes away, cancel its task, so
/// that extensions and servers end in order; a second one ends the process at once.
enum StopSignal {
  /// Runs an operation until it returns or a signal cancels it.
  ///
  /// - Parameter interruption: hears of the first signal instead, while somebody listens there.
  /// - Returns: the operation's value, and the signal that came, if one did.
  static func withCancellation<Value: Sendable>(
    on loop: EventLoop, interruption: Interruption, _ operation: @escaping @Sendable () async -> Value
  ) async -> (value: Value?, signal: Int32?) {
    let descriptor = clinux_stop_signals()
    guard descriptor >= 0 else { return (await operation(), nil) }
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    let watch = watch(descriptor, on: loop, interruption, continuation)
    defer {
      if let watch { loop.unwatch(watch) }
      close(descriptor)
    }
    return await withTaskGroup(of: (Value?, Int32?).self) { group in
      group.addTask(executorPreference: loop) { (await operation(), nil) }
      group.addTask(executorPreference: loop) {
        for await signal in signals { return (nil, signal) }
        return (nil, nil)
      }
      let first = await group.next()
      group.cancelAll()
      if let value = first?.0 { return (value, nil) }
      let second = await group.next()
      return (second?.0, first?.1)
    }
  }

  private static func watch(
    _ descriptor: Int32, on loop: EventLoop, _ interruption: Interruption,
    _ continuation: AsyncStream<Int32>.Continuation
  ) -> Watch? {
    var count = 0
    return try? loop.watch(descriptor, for: .reading) { _ in
      let number = clinux_read_signal(descriptor)
      guard number != 0 else { return }
      count += 1
      if count > 1 { exit(128 + number) }
      if !interruption.take(number) { continuation.yield(number) }
    }
  }
}
