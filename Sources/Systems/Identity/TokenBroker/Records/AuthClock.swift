internal import Glibc

/// The time that a broker lives by; tests give their own.
package struct AuthClock: Sendable {
  /// Returns the time in seconds since 1970.
  package var now: @Sendable () -> Int
  /// Waits this many seconds; throws when the task is cancelled.
  package var sleep: @Sendable (_ seconds: Int) async throws -> Void

  /// Creates a clock from its functions.
  package init(
    now: @escaping @Sendable () -> Int, sleep: @escaping @Sendable (_ seconds: Int) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The clock of this machine.
  package static let system = AuthClock(
    now: { time(nil) }, sleep: { try await Task.sleep(for: .seconds($0)) })
}
