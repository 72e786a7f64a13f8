package import Files
internal import Glibc
package import HTTPClient

/// The answer of the rules for one request of a task.
package enum TransferPermission: Sendable, Equatable {
  /// The request is permitted.
  ///
  /// - Parameter reaches: the kinds of addresses that the connection may use; `nil` permits all.
  case allowed(reaches: Set<AddressReach>?)
  case refused(TransferFailure)
}

/// Whether a session is still its owner's here.
package enum SessionFence: Sendable, Equatable {
  case open
  /// It cannot be asked at present. The task waits.
  case unknown
  /// Another machine has taken the session up. The task ends.
  case closed(TransferFailure)
}

extension TransferRunner {
  /// How transfers are run.
  package struct Options: Sendable {
    /// Decides whether a task of a session may send a request to the URL in the third argument.
    package typealias Rules = @Sendable (SessionRecord, TransferRecord, String) async -> TransferPermission
    /// Returns the most bytes that a download of a session may have; `nil` for no limit.
    package typealias Room = @Sendable (SessionRecord, TransferRecord) async throws(TransferFailure) -> Int64?
    /// Waits for a duration; throws when its task is cancelled.
    package typealias Sleep = @Sendable (Duration) async throws -> Void

    /// The most simultaneous transfers.
    package var maximumConcurrent = 16
    /// The most simultaneous transfers with one server, whatever its sessions permit.
    package var maximumPerServer = 8
    /// The most bytes per second of all transfers together; `nil` for no limit.
    package var maximumBytesPerSecond: Int?
    /// How often progress is written to the journal.
    package var checkpointInterval = Duration.milliseconds(250)
    /// The machine whose sessions are run; `nil` runs all.
    package var machine: String?
    /// Asked before each request (at the start, at each redirect and each resumption), and by ``recheck()``.
    package var rules: Rules
    /// Asked before each attempt: whether the session was taken up elsewhere meanwhile.
    package var fence: @Sendable (SessionRecord) async -> SessionFence = { _ in .open }
    /// Asked when a download starts or resumes, and before its file is moved into the container.
    package var room: Room = { _, _ in nil }
    /// Returns the user with whose rights a session's files are put into the container; `nil` for this process's own.
    package var user: @Sendable (SessionRecord) async throws(TransferFailure) -> FileUser? = { _ in nil }
    /// Whether discretionary transfers may run now.
    package var isQuiet: @Sendable () -> Bool = { Self.isLoadLow }
    /// Waits in real time; throws when its task is cancelled.
    package var sleep: Sleep
    /// Waits until a task is due again. Tests advance their clock here.
    package var sleepUntilDue: Sleep
    /// Returns a random number from 0 to 1, which spreads the retries.
    package var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// Creates the default options with these two functions.
    package init(sleep: @escaping Sleep, rules: @escaping Rules) {
      (self.sleep, self.sleepUntilDue, self.rules) = (sleep, sleep, rules)
    }

    /// Whether fewer than half of the processors were busy in the last minute.
    private static var isLoadLow: Bool {
      var load = 0.0
      guard unsafe getloadavg(&load, 1) == 1 else { return true }
      return load < Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) / 2
    }
  }
}
