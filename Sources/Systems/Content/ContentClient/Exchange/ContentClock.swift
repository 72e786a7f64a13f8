internal import Glibc

/// The time and the chance that a client lives by; tests give their own.
package struct ContentClock: Sendable {
  /// Returns the time in seconds since 1970.
  package var now: @Sendable () -> Int
  /// Waits this many seconds; throws when the task is cancelled.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double

  /// Creates a clock from its three functions.
  package init(
    now: @escaping @Sendable () -> Int, sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }
}

extension ContentClock {
  /// The clock of this machine.
  package static let system = ContentClock(
    now: { time(nil) }, sleep: { try await Task.sleep(for: .seconds($0)) }, random: { Double.random(in: 0...1) })
}
