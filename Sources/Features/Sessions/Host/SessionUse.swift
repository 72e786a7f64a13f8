import ExtensionHosting
import GroupStore
import Synchronization
import Transfers

/// Which process of this host uses which session.
final class SessionUse: Sendable {
  /// A session in use.
  struct Entry: Sendable {
    let lease: Lease
    let instance: UInt64
    /// Whether the process is a containing app that was started for the session's events.
    let isWoken: Bool
    /// The number of the owner, as the journal gave it out for the lease.
    let epoch: Int64
    /// Whether that app has said that it has handled them.
    var isHandled = false
  }

  private let entries = Mutex<[SessionKey: Entry]>([:])
  /// The sessions that processes take into use, as they do so.
  let arrivals = CallerArrivals<SessionKey>()

  /// Returns a process's use of a session; `nil` when the process does not use it.
  func entry(_ key: SessionKey, of instance: UInt64) -> Entry? {
    entries.withLock { $0[key].flatMap { $0.instance == instance ? $0 : nil } }
  }

  /// Begins a use. Of two calls with which a process takes up one session at once, that with the later epoch counts.
  func begin(_ key: SessionKey, _ lease: Lease, epoch: Int64, _ instance: UInt64, isWoken: Bool) {
    let isLatest = entries.withLock { entries in
      if let known = entries[key], known.instance == instance, known.epoch > epoch { return false }
      entries[key] = Entry(lease: lease, instance: instance, isWoken: isWoken, epoch: epoch)
      return true
    }
    if isLatest, !isWoken { arrivals.source(for: instance).yield(key) }
  }

  /// Ends a use. The session may have been made anew meanwhile, and be in use in another epoch: then nothing ends.
  ///
  /// - Returns: whether the session was in use by the process, in this epoch.
  @discardableResult
  func end(_ key: SessionKey, epoch: Int64, of instance: UInt64) -> Bool {
    entries.withLock { entries in
      guard let entry = entries[key], entry.instance == instance, entry.epoch == epoch else { return false }
      entries[key] = nil
      return true
    }
  }

  /// A containing app has handled what it was started for.
  ///
  /// - Returns: `false` when it was not started for it, in this epoch.
  func handled(_ key: SessionKey, epoch: Int64, by instance: UInt64) -> Bool {
    entries.withLock { entries in
      guard let entry = entries[key], entry.instance == instance, entry.isWoken, entry.epoch == epoch else {
        return false
      }
      entries[key]?.isHandled = true
      return true
    }
  }

  func isHandled(_ key: SessionKey, by instance: UInt64) -> Bool { entry(key, of: instance)?.isHandled ?? false }

  /// A process is gone.
  ///
  /// - Returns: the leases that it had.
  func forget(_ instance: UInt64) -> [Lease] {
    arrivals.forget(instance)
    return entries.withLock { entries in
      let gone = entries.filter { $0.value.instance == instance }
      for key in gone.keys { entries[key] = nil }
      return gone.values.map(\.lease)
    }
  }
}
