/// The time of day, waiting, and the chance that spreads waits. Code that depends on them is given a clock; tests give
/// one of their own.
package struct WallClock: Sendable {
  /// Returns the time of day.
  package var now: @Sendable () -> UnixTime
  /// Waits for a duration; throws `CancellationError` when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// Returns a number from 0 to 1, so that clients that failed together do not come back together.
  package var random: @Sendable () -> Double

  /// Creates a clock that reads the time, waits and chooses in these ways.
  package init(
    now: @escaping @Sendable () -> UnixTime, sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    (self.now, self.sleep, self.random) = (now, sleep, random)
  }

  /// The clock of this machine.
  package static let system = WallClock(now: { .now }, sleep: { try await Task.sleep(for: $0) })

  /// Seconds since 1970, rounded down.
  package var seconds: Int { Int(now().seconds) }

  /// Milliseconds since 1970, rounded down.
  package var milliseconds: Int { Int(now().milliseconds) }
}
