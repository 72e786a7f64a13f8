import Contracts
public import ExtensionProtocol
import ExtensionRuntime
public import PropertyList

/// Values that depend on older ones, and following what others write.
extension SuiteDefaults {
  /// A key's value and the revision at which it was written, asked of the host; `nil` and 0 when it is not set.
  ///
  /// - Throws: `groupNotEntitled` for a suite that is not an app group of the extension; `storeFailed`.
  public func entry(forKey key: String) async throws(ExtensionError) -> (value: PropertyListValue?, revision: Int64) {
    let entry = try await context.call(Defaults.Get(suite: suiteName, key: key))
    return (entry.value, entry.revision)
  }

  /// Sets or removes a key if its revision is still the expected one; 0 means that the key is not set.
  ///
  /// - Returns: whether it was written.
  /// - Throws: `groupNotEntitled`, `permissionDenied` for a keyboard without open access, `limitExceeded`,
  ///   `storeFailed`.
  public func compareAndSet(
    _ value: PropertyListValue?, forKey key: String, expecting revision: Int64
  ) async throws(ExtensionError) -> Bool {
    let answer = try await context.call(
      Defaults.CompareAndSet(suite: suiteName, key: key, value: value, expectedRevision: revision))
    // The answer has the key's revision and not the suite's, so what else changed is asked for.
    if answer.swapped { try? await suite.refresh(context.session) }
    return answer.swapped
  }

  /// Changes a key atomically: simultaneous writes of other processes are not lost.
  ///
  /// - Parameters:
  ///   - key: the key to change.
  ///   - change: returns the new value for the present one, `nil` to remove the key. It is called again when another
  ///     process wrote in between.
  /// - Throws: the errors of ``compareAndSet(_:forKey:expecting:)``; `cancelled` when the task is cancelled.
  public func update(
    _ key: String, _ change: (PropertyListValue?) -> PropertyListValue?
  ) async throws(ExtensionError) {
    while true {
      let entry = try await entry(forKey: key)
      if try await compareAndSet(change(entry.value), forKey: key, expecting: entry.revision) { return }
      if Task.isCancelled { throw ExtensionError(.cancelled, "The change of \"\(key)\" was cancelled.") }
    }
  }

  /// Adds to a number. Extensions and hosts that add to the same key at the same time lose no count.
  ///
  /// - Parameters:
  ///   - amount: what is added; negative to subtract.
  ///   - key: the key to change. A value that is missing or is no number counts as 0.
  /// - Returns: the new number, which ends at the bounds of `Int`.
  /// - Throws: as ``update(_:_:)``.
  @discardableResult
  public func add(_ amount: Int, forKey key: String) async throws(ExtensionError) -> Int {
    var total = 0
    try await update(key) { value in
      let (sum, overflows) = DefaultsValue.integer(value).addingReportingOverflow(amount)
      total = overflows ? (amount > 0 ? .max : .min) : sum
      return .integer(Int64(total))
    }
    return total
  }

  /// Every change from now on to keys with a prefix, by anyone, this process included.
  ///
  /// The changes follow each other without a gap. A slow reader receives several as one; a reader that falls far behind
  /// is told to read the suite again.
  ///
  /// - Throws: `groupNotEntitled` for a suite that is not an app group of the extension; `storeFailed`.
  public func changes(prefix: String = "") async throws(ExtensionError) -> SuiteChanges {
    try await suite.catchUp(context.session)
    let (revision, age) = suite.position
    return SuiteChanges(suite: suite, prefix: prefix, session: context.session, after: revision, age: age)
  }
}

/// The changes of a suite; see ``SuiteDefaults/changes(prefix:)``. Ends with the task that reads it.
public struct SuiteChanges: AsyncSequence, Sendable {
  /// Several writes come as one change when the reader is slow.
  public typealias Element = SuiteChange
  /// The error of a request to the host, which is needed when the changes are not known here.
  public typealias Failure = ExtensionError

  let suite: FollowedSuite
  let prefix: String
  let session: ExtensionSession
  let after: Int64
  let age: Int

  /// Begins where the sequence was made, not where another iterator is.
  public func makeAsyncIterator() -> Iterator {
    Iterator(suite: suite, prefix: prefix, session: session, cursor: after, age: age)
  }

  /// Waits for the next change; cancelling the task ends it without an error.
  public struct Iterator: AsyncIteratorProtocol {
    let suite: FollowedSuite
    let prefix: String
    let session: ExtensionSession
    var cursor: Int64
    /// How often the suite's log had begun anew at the cursor.
    var age: Int

    /// - Throws: what asking the host throws, when something is missing.
    public mutating func next() async throws(ExtensionError) -> SuiteChange? {
      try await next(isolation: #isolation)
    }

    /// - Throws: as ``next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ExtensionError) -> SuiteChange? {
      do throws(ExtensionError) {
        let change = try await suite.next(after: cursor, since: &age, prefix: prefix, session)
        cursor = change.revision
        return change
      } catch {
        if error.code == .cancelled, Task.isCancelled { return nil }
        throw error
      }
    }
  }
}
