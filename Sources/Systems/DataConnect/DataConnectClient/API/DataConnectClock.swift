internal import Glibc

/// The time and the chance that a client lives by; tests give their own.
package struct DataConnectClock: Sendable {
  /// Milliseconds since 1970.
  package var now: @Sendable () -> Int
  /// Waits; throws when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Int, sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }

  /// The clock of this machine.
  package static let system = DataConnectClock(
    now: {
      var time = timespec()
      unsafe clock_gettime(CLOCK_REALTIME, &time)
      return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }, sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0...1) })
}
