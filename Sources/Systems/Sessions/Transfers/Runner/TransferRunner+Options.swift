internal import Glibc
package import HTTPClient

/// What a task may do with a server.
package enum TransferPermission: Sendable, Equatable {
  /// - Parameter reaches: the addresses that may be connected to; `nil` is all.
  case allowed(reaches: Set<AddressReach>?)
  case refused(TransferFailure)
}

extension TransferRunner {
  /// How transfers are run.
  package struct Options: Sendable {
    package typealias Rules = @Sendable (SessionRecord, TransferRecord, String) async -> TransferPermission
    /// The most bytes that a download of a session may have; `nil` is no limit.
    package typealias Room = @Sendable (SessionRecord) async throws(TransferFailure) -> Int64?
    package typealias Sleep = @Sendable (Duration) async throws -> Void

    /// The most transfers at a time.
    package var maximumConcurrent = 16
    /// The most transfers at a time with one server, whatever its sessions allow.
    package var maximumPerServer = 8
    /// Bytes a second of all transfers together; `nil` is no limit.
    package var maximumBytesPerSecond: Int?
    /// How often progress is written down.
    package var checkpointInterval = Duration.milliseconds(250)
    /// Only sessions of this machine are run; `nil` runs all.
    package var machine: String?
    /// Asked before each request: at the start, at every redirect and at every resumption; and by ``recheck()``.
    package var rules: Rules
    /// Asked where a download begins or goes on, and before its file is moved into the container.
    package var room: Room = { _ in nil }
    /// Whether this is a moment for transfers that can wait.
    package var isQuiet: @Sendable () -> Bool = { Self.isLoadLow }
    /// Waits on the true clock; throws when its task is cancelled.
    package var sleep: Sleep
    /// Waits until a task is due again. A test lets its clock go on here.
    package var sleepUntilDue: Sleep
    /// From 0 to 1.
    package var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    package init(sleep: @escaping Sleep, rules: @escaping Rules) {
      (self.sleep, self.sleepUntilDue, self.rules) = (sleep, sleep, rules)
    }

    /// Whether fewer than half of the processors had work in the last minute.
    private static var isLoadLow: Bool {
      var load = 0.0
      guard unsafe getloadavg(&load, 1) == 1 else { return true }
      return load < Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) / 2
    }
  }
}
