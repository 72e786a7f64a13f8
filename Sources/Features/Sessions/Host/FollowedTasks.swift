import Contracts
import GroupStore
import Synchronization

/// The tasks that some processes begin, for the part of the host that waits for them, with the leases that the
/// processes leave behind.
final class FollowedTasks: Sendable {
  struct Entry: Sendable {
    var tasks: [Int64] = []
    var leases: [Lease] = []
  }

  private let entries = Mutex<[UInt64: Entry]>([:])

  func begin(_ instance: UInt64) { entries.withLock { $0[instance] = $0[instance] ?? Entry() } }

  func began(_ task: Int64, by instance: UInt64) {
    entries.withLock { entries in
      if let known = entries[instance], known.tasks.count < Sessions.mostTasks { entries[instance]?.tasks.append(task) }
    }
  }

  /// Handles the exit of a process.
  ///
  /// - Returns: whether the host takes over the leases of the process.
  func take(_ leases: [Lease], of instance: UInt64) -> Bool {
    entries.withLock { entries in
      guard let known = entries[instance], !known.tasks.isEmpty else { return false }
      entries[instance]?.leases += leases
      return true
    }
  }

  func end(_ instance: UInt64) -> Entry { entries.withLock { $0.removeValue(forKey: instance) } ?? Entry() }
}
