import JSON
import Contracts
import ExtensionHosting
import ExtensionProtocol
import GroupStore
import JSONRPC
import Synchronization

/// The suites that each caller observes, and the tasks that send the notifications: one for each caller and suite.
final class SuiteObservers: Sendable {
  /// The observers, by the number of the calling process and by suite.
  private let observers = Mutex<[UInt64: [String: SuiteObserver]]>([:])
  private let arrivals = CallerArrivals<SuiteObserver>()

  /// - Throws: `limitExceeded` for one prefix more than a process may have, `invalidParams` for one that no key begins with.
  func observe(_ suite: String, prefix: String, for caller: Caller) throws(ExtensionError) -> SuiteObserver {
    let observer = observer(of: suite, for: caller)
    try observer.add(prefix: prefix)
    return observer
  }

  func follow(_ suite: String, for caller: Caller) -> SuiteObserver {
    let observer = observer(of: suite, for: caller)
    observer.follow()
    return observer
  }

  /// Notifies the other observers of a caller's write. The caller itself knows of it by the answer to its call.
  func wrote(_ suite: String, at revision: Int64, by caller: Caller) {
    observers.withLock { $0[caller.instance]?[suite] }?.wrote(at: revision)
  }

  private func observer(of suite: String, for caller: Caller) -> SuiteObserver {
    observers.withLock { observers in
      if let known = observers[caller.instance]?[suite] { return known }
      let observer = SuiteObserver(
        suite: suite, arrivals: arrivals.source(for: caller.instance), hold: caller.hold())
      observers[caller.instance, default: [:]][suite] = observer
      return observer
    }
  }

  /// Tells the caller of changes until the task is cancelled.
  func accompany(_ caller: Caller, telling store: SuiteStore) async {
    await arrivals.accompany(caller.instance) { await $0.tell(caller, of: store) }
  }

  func forget(_ caller: Caller) {
    observers.withLock { $0[caller.instance] = nil }
    arrivals.forget(caller.instance)
  }
}

/// One caller's observation of one suite.
final class SuiteObserver: Sendable {
  private struct State {
    var prefixes: [String] = []
    var isFollower = false
    /// The revision and the store after which the notifications begin; `nil` before the beginning.
    var begin: (revision: Int64, store: StoreID)?
    /// The last write of the caller itself.
    var written: Int64?
  }

  /// From a failure of the store, or a full queue of messages, to the next attempt.
  private static let pause = Duration.milliseconds(50)

  private let suite: String
  private let arrivals: AsyncStream<SuiteObserver>.Continuation
  private let state = Mutex(State())
  /// The memory of the prefixes.
  private let hold: LedgerHold
  /// The most prefixes of one process for one suite: each change is compared with all of them.
  static let prefixLimit = 64

  init(suite: String, arrivals: AsyncStream<SuiteObserver>.Continuation, hold: LedgerHold) {
    self.suite = suite
    self.arrivals = arrivals
    self.hold = hold
  }

  func add(prefix: String) throws(ExtensionError) {
    guard prefix.utf8.count <= SuiteStore.keyLimit else {
      throw ExtensionError(
        .invalidParams, "No key begins with \(prefix.utf8.count) bytes: the longest has \(SuiteStore.keyLimit).",
        recovery: "Observe a shorter prefix.")
    }
    let isFull = state.withLock { state in
      // A shorter prefix already covers the keys of this one.
      if state.prefixes.contains(where: { prefix.utf8.starts(with: $0.utf8) }) { return false }
      if state.prefixes.count >= Self.prefixLimit { return true }
      state.prefixes.append(prefix)
      hold.set(state.prefixes.reduce(0) { $0 + JSONValue.bytesOfValue + $1.utf8.count })
      return false
    }
    guard isFull else { return }
    throw ExtensionError(
      .limitExceeded, "\(Self.prefixLimit) prefixes of the suite \(suite) are observed already.",
      recovery: "Observe a shorter prefix that these have in common, or the whole suite with an empty one.",
      details: ["limit": .integer(Int64(Self.prefixLimit))])
  }

  func follow() { state.withLock { $0.isFollower = true } }

  func wrote(at revision: Int64) { state.withLock { $0.written = revision } }

  /// Begins the notifications with the changes after a revision of a store.
  func begin(after revision: Int64, of store: StoreID) {
    let isFirst = state.withLock { state in
      defer { state.begin = state.begin ?? (revision, store) }
      return state.begin == nil
    }
    if isFirst { arrivals.yield(self) }
  }

  /// Tells the caller of every change until the task is cancelled. A failure of the store is waited out.
  func tell(_ caller: Caller, of store: SuiteStore) async {
    guard let begin = state.withLock({ $0.begin }) else { return }
    let watch = SuiteWatch(store: store, suite: suite, after: begin.revision, of: begin.store)
    while !Task.isCancelled {
      do {
        guard var news = try await watch.next() else { return }
        if state.withLock({ $0.written }) == news.revision { await Task.yield() }
        while !send(news, to: caller) {
          try await Task.sleep(for: Self.pause)
          // Once more, with what came meanwhile: the queue may stay full for long.
          if news.changes != nil {
            watch.goBack(to: news.after)
            guard let more = try await watch.next() else { return }
            news = more
          }
        }
      } catch {
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  /// - Returns: whether the caller will receive the notification; `false` when its queue is full.
  private func send(_ batch: SuiteStore.Changes, to caller: Caller) -> Bool {
    if batch.revision == batch.after { return true }
    let state = state.withLock { $0 }
    let keys = (batch.changes ?? []).map(\.key).filter { key in
      state.isFollower && state.prefixes.isEmpty || state.prefixes.contains { key.utf8.starts(with: $0.utf8) }
    }
    guard state.isFollower || !keys.isEmpty || batch.changes == nil else { return true }
    let change = Defaults.DidChange(
      suite: suite, revision: batch.revision, keys: keys, after: state.isFollower ? batch.after : nil,
      changes: state.isFollower ? batch.changes : nil)
    do throws(ExtensionError) {
      try caller.process.post(change)
      return true
    } catch {
      // A caller that has exited receives nothing; its task is about to be cancelled.
      return error.code != .queueFull
    }
  }
}
