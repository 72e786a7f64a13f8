package import HTTPClient

/// Sends one request and gives its answer, whatever the status. It follows no redirect: requests ask for none.
package typealias ContentTransport = @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

/// The time and the chance that a client lives by; tests give their own.
package struct ContentClock: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Int
  /// Waits this many seconds; throws when the task is cancelled.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Int, sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }
}
