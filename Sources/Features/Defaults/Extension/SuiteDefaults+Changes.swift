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

  /// Sets a key, or removes it, unless somebody wrote it since a revision; 0 is a key that is not set.
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

  /// Changes a key as a whole: what others write at the same time is not lost.
  ///
  /// - Parameters:
  ///   - key: the key to change.
  ///   - change: makes the new value of the present one, `nil` to remove it; called again when somebody else wrote in
  ///     between.
  /// - Throws: as ``compareAndSet(_:forKey:expecting:)``; `cancelled` when the task is.
  public func update(
    _ key: String, _ change: (PropertyListValue?) -> PropertyListValue?
  ) async throws(ExtensionError) {
    while true {
      let entry = try await entry(forKey: key)
      if try await compareAndSet(change(entry.value), forKey: key, expecting: entry.revision) { return }
      if Task.isCancelled { throw ExtensionError(.cancelled, "The change of \"\(key)\" was cancelled.") }
    }
  }

  /// Every change from now on to keys with a prefix, by anyone, this process included.
  ///
  /// The changes follow each other without a gap. Who reads slowly gets several as one; who falls far behind is told to
  /// read again.
  ///
  /// - Throws: `groupNotEntitled` for a suite that is not an app group of the extension; `storeFailed`.
  public func changes(prefix: String = "") async throws(ExtensionError) -> SuiteChanges {
    try await suite.catchUp(context.session)
    return SuiteChanges(suite: suite, prefix: prefix, session: context.session, after: suite.revision ?? 0)
  }
}

/// The changes of a suite; see ``SuiteDefaults/changes(prefix:)``. Ends with the task that reads it.
public struct SuiteChanges: AsyncSequence, Sendable {
  /// Several writes come as one change when the reader is slow.
  public typealias Element = SuiteChange
  /// What asking the host throws, when the changes are not known here.
  public typealias Failure = ExtensionError

  let suite: FollowedSuite
  let prefix: String
  let session: ExtensionSession
  let after: Int64

  /// Begins where the sequence was made, not where another iterator is.
  public func makeAsyncIterator() -> Iterator {
    Iterator(suite: suite, prefix: prefix, session: session, cursor: after)
  }

  /// Waits for the next change; cancelling the task ends it without an error.
  public struct Iterator: AsyncIteratorProtocol {
    let suite: FollowedSuite
    let prefix: String
    let session: ExtensionSession
    var cursor: Int64

    /// - Throws: what asking the host throws, when something is missing.
    public mutating func next() async throws(ExtensionError) -> SuiteChange? {
      try await next(isolation: #isolation)
    }

    /// - Throws: as ``next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ExtensionError) -> SuiteChange? {
      do throws(ExtensionError) {
        let change = try await suite.next(after: cursor, prefix: prefix, session)
        cursor = change.revision
        return change
      } catch {
        if error.code == .cancelled, Task.isCancelled { return nil }
        throw error
      }
    }
  }
}
