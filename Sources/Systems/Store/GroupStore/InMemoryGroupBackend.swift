import Text
package import Time

/// A store in memory, lost when the process exits: for tests, and for hosts that keep nothing.
package actor InMemoryGroupBackend: GroupBackend {
  private struct Suite {
    var revision: Int64 = 0
    var loud: Int64 = 0
    var bytes = 0
    var entries: [ExactText: Versioned] = [:]
    var tombstones: [ExactText: Int64] = [:]
    var compacted: Int64 = 0
  }

  /// The limits that the store was created with.
  package nonisolated let limits: BackendLimits
  private let clock: BootClock
  private nonisolated let recent = RecentChanges()
  private var suites: [SuiteID: Suite] = [:]
  private var leases: [String: LeaseTerm] = [:]
  private nonisolated let store = StoreID("\(UInt64.random(in: 0...(.max)))")

  /// Creates a store with some values.
  ///
  /// - Parameter suites: bytes by suite and key; each suite starts at revision 1.
  package init(
    _ suites: [SuiteID: [String: [UInt8]]] = [:], limits: BackendLimits = BackendLimits(), clock: BootClock = .system
  ) {
    self.limits = limits
    self.clock = clock
    self.suites = suites.mapValues { entries in
      Suite(
        revision: 1, loud: 1, bytes: entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.count },
        entries: entries.reduce(into: [:]) { $0[ExactText($1.key)] = Versioned(bytes: $1.value, revision: 1) })
    }
  }

  /// Returns a key's bytes and revision; `nil` when the key is not set.
  package func get(_ suite: SuiteID, _ key: String) async throws(GroupStoreError) -> Versioned? {
    suites[suite]?.entries[ExactText(key)]
  }

  /// Returns every key of a suite, and its revision.
  package func snapshot(_ suite: SuiteID) async throws(GroupStoreError) -> SuiteState {
    let suite = suites[suite] ?? Suite()
    return SuiteState(
      revision: suite.revision,
      entries: suite.entries.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key.text] = $1.value })
  }

  /// Writes to a suite if the conditions hold and the lease is held, and wakes its watchers.
  package func apply(
    _ id: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws(GroupStoreError) -> Int64 {
    var suite = suites[id] ?? Suite()
    if let fence, leases[fence.name]?.isHeld(by: fence, clock) != true { throw .fenced(lease: fence.name) }
    for condition in require { try check(condition, in: suite) }
    if changes.isEmpty { return suite.revision }
    let before = suite.bytes
    suite.revision += 1
    if !quietly { suite.loud = suite.revision }
    var written: [Change] = []
    for change in changes {
      try limits.check(change, in: id)
      written += apply(change, to: &suite)
    }
    try limits.check(bytes: suite.bytes, grownBy: suite.bytes - before, in: id)
    compact(&suite)
    suites[id] = suite
    recent.add(RecentChanges.merged(written), to: id, revision: suite.revision)
    recent.wakeWatchers(of: id)
    return suite.revision
  }

  private func check(_ condition: Condition, in suite: Suite) throws(GroupStoreError) {
    let (key, expected) =
      switch condition {
      case .absent(let key): (key, Int64(0))
      case .revision(let key, let revision): (key, revision)
      }
    let found = suite.entries[ExactText(key)]?.revision ?? 0
    if found != expected { throw .conflict(key: key, revision: found) }
  }

  private func apply(_ mutation: Mutation, to suite: inout Suite) -> [Change] {
    switch mutation {
    case .set(let key, let bytes):
      remove(key, from: &suite)
      suite.tombstones[ExactText(key)] = nil
      suite.entries[ExactText(key)] = Versioned(bytes: bytes, revision: suite.revision)
      suite.bytes += key.utf8.count + bytes.count
      return [Change(key: key, bytes: bytes, revision: suite.revision)]
    case .remove(let key):
      remove(key, from: &suite)
      suite.tombstones[ExactText(key)] = suite.revision
      return [Change(key: key, bytes: nil, revision: suite.revision)]
    case .removeAll:
      return suite.entries.keys.sorted().flatMap { apply(.remove($0.text), to: &suite) }
    }
  }

  private func remove(_ key: String, from suite: inout Suite) {
    guard let old = suite.entries.removeValue(forKey: ExactText(key)) else { return }
    suite.bytes -= key.utf8.count + old.bytes.count
  }

  private func compact(_ suite: inout Suite) {
    let excess = suite.tombstones.count - limits.maxTombstones
    guard excess > 0 else { return }
    let sorted = suite.tombstones.values.sorted()
    suite.compacted = sorted[excess - 1]
    let bound = suite.compacted
    suite.tombstones = suite.tombstones.filter { $0.value > bound }
  }

  /// Returns the revision of the last write that was not quiet.
  package func loudRevision(_ suite: SuiteID) async throws(GroupStoreError) -> Int64 { suites[suite]?.loud ?? 0 }

  /// Returns the random identity of this store.
  package func identity() async throws(GroupStoreError) -> StoreID { store }

  /// Returns the changes after a revision; `compacted` when they are no longer known.
  package func delta(
    _ id: SuiteID, after revision: Int64, of store: StoreID?
  ) async throws(GroupStoreError) -> SuiteDelta {
    SuiteDelta(changes(of: suites[id] ?? Suite(), after: revision), of: self.store).comparedWith(store)
  }

  private func changes(of suite: Suite, after revision: Int64) -> ChangeBatch {
    if revision == suite.revision { return .changed([], through: revision) }
    if revision < suite.compacted || revision > suite.revision { return .compacted(through: suite.revision) }
    let set = suite.entries.filter { $0.value.revision > revision }
      .map { Change(key: $0.key.text, bytes: $0.value.bytes, revision: $0.value.revision) }
    let removed = suite.tombstones.filter { $0.value > revision }
      .map { Change(key: $0.key.text, bytes: nil, revision: $0.value) }
    let changes = (set + removed).sorted { ($0.revision, $0.key) < ($1.revision, $1.key) }
    return .changed(changes, through: suite.revision)
  }

  /// Returns a watcher that follows the writes of this process.
  package nonisolated func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher {
    SuiteWatcher(self, suite, after: revision, of: store, recent)
  }

  /// Acquires a lease; `nil` while another owner holds it.
  package func acquire(
    _ name: String, owner: OwnerID, for duration: Duration
  ) async throws(GroupStoreError) -> Lease? {
    guard let term = LeaseTerm.taking(over: leases[name], for: owner, duration, clock) else { return nil }
    leases[name] = term
    return Lease(name: name, owner: owner, token: term.token)
  }

  /// Returns who holds a lease now.
  package func holder(of name: String) async throws(GroupStoreError) -> LeaseHolder {
    LeaseHolder(leases[name]?.lease(named: name, clock), in: store)
  }

  /// Extends a lease; `false` when it is no longer held.
  package func renew(_ lease: Lease, for duration: Duration) async throws(GroupStoreError) -> Bool {
    guard var term = leases[lease.name], term.isHeld(by: lease, clock) else { return false }
    term.end = clock.end(of: duration)
    leases[lease.name] = term
    return true
  }

  /// Releases a lease, if it is held.
  package func release(_ lease: Lease) async throws(GroupStoreError) {
    guard leases[lease.name]?.isHeld(by: lease, clock) == true else { return }
    leases[lease.name]?.owner = nil
  }
}
