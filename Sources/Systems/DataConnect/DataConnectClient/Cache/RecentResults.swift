internal import JSON
internal import Synchronization

/// The results that were used last, put together already: a query that comes again within seconds looks at no disk and
/// waits for no other thread.
///
/// A result is given for a few seconds only: another process may have replaced it on the disk meanwhile. What this
/// process keeps in a scope makes all results of the scope forgotten, as they share entities.
final class RecentResults: Sendable {
  /// Milliseconds from the disk on.
  static let lifetime = 5_000
  /// The limit of all results together, in bytes of memory.
  static let maximumBytes = 8 << 20

  private struct Entry {
    let kept: KeptResult
    let times: Range<Int>
  }

  private struct State {
    var scopes: [CacheScope: [DataOperation: Entry]] = [:]
    var bytes = 0
    /// How often a result was removed.
    var changes: UInt64 = 0
  }

  private let state = Mutex(State())

  /// - Parameter now: milliseconds since 1970.
  func result(of operation: DataOperation, in scope: CacheScope, now: Int) -> KeptResult? {
    state.withLock { state in
      guard let entry = state.scopes[scope]?[operation], entry.times.contains(now) else { return nil }
      return entry.kept
    }
  }

  /// Read it before a result, so that ``put(_:of:in:since:now:)`` can tell whether the result is outdated.
  var changes: UInt64 { state.withLock { $0.changes } }

  func put(_ kept: KeptResult, of operation: DataOperation, in scope: CacheScope, since changes: UInt64, now: Int) {
    let size = kept.data.weight + JSONValue.object(operation.variables).weight
    guard size <= Self.maximumBytes / 4 else { return }
    let entry = Entry(kept: kept, times: now..<now + Self.lifetime)
    state.withLock { state in
      guard state.changes == changes else { return }
      // Too many for seconds: the others are on the disk. What is replaced is counted twice until then.
      if state.bytes + size > Self.maximumBytes { (state.scopes, state.bytes) = ([:], 0) }
      state.scopes[scope, default: [:]][operation] = entry
      state.bytes += size
    }
  }

  func forget(_ scope: CacheScope) {
    state.withLock { state in
      state.changes &+= 1
      state.scopes[scope] = nil
      if state.scopes.isEmpty { state.bytes = 0 }
    }
  }
}
