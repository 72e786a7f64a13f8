internal import EventLoop

/// A server that takes the place of a real service on one machine, for development and tests.
package protocol StandInServer: Sendable {
  /// Serves while `body` runs, then answers what was asked and stops.
  ///
  /// - Throws: `HTTPServerError` when the port cannot be opened, `EventLoopError` when the system gives no thread, or
  ///   what `body` throws.
  func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value
}

extension StandInServer {
  /// Serves until the task is cancelled, then answers what was asked and stops.
  ///
  /// - Parameter ready: called once with the address, when the port is open.
  /// - Throws: `HTTPServerError` when the port cannot be opened, `EventLoopError` when the system gives no thread.
  package func run(ready: (ServerAddress) -> Void = { _ in }) async throws {
    try await withRunning { address in
      ready(address)
      await untilCancelled()
    }
  }
}
