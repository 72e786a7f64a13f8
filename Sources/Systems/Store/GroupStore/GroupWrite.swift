import Synchronization

/// A write that waits for its commit. Those that come while another commit runs go together with the next.
final class GroupWrite: Sendable {
  let suite: SuiteID
  let changes: [Mutation]
  let require: [Condition]
  let fence: Lease?
  let isQuiet: Bool
  private let result = Mutex<Result<Int64, GroupStoreError>?>(nil)

  init(_ suite: SuiteID, _ changes: [Mutation], _ require: [Condition], _ fence: Lease?, isQuiet: Bool) {
    self.suite = suite
    self.changes = changes
    self.require = require
    self.fence = fence
    self.isQuiet = isQuiet
  }

  /// `nil` before the commit.
  var outcome: Result<Int64, GroupStoreError>? { result.withLock { $0 } }

  func end(_ outcome: Result<Int64, GroupStoreError>) { result.withLock { $0 = outcome } }
}

/// The writes that wait.
final class WriteQueue: Sendable {
  private let waiting = Mutex<[GroupWrite]>([])

  func append(_ write: GroupWrite) { waiting.withLock { $0.append(write) } }

  /// Removes the oldest writes from the queue and returns them.
  func take(atMost count: Int) -> [GroupWrite] {
    waiting.withLock { waiting in
      let taken = Array(waiting.prefix(count))
      waiting.removeFirst(taken.count)
      return taken
    }
  }
}
