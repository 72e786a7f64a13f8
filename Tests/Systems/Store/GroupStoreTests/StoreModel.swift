@testable import GroupStore

/// What a group store should be, in the simplest form: every state that there was, by revision, and who holds what.
struct StoreModel {
  struct Term {
    var owner: OwnerID?
    var token: Int64 = 0
    var end: Int64 = 0
  }

  enum Refusal: Hashable { case fenced, conflict, quota }

  static let limits: BackendLimits = {
    var limits = BackendLimits()
    (limits.maxKeyBytes, limits.maxValueBytes, limits.maxSuiteBytes, limits.maxTombstones) = (25, 5, 40, 3)
    return limits
  }()

  private(set) var revision: Int64 = 0
  private(set) var entries: [String: Versioned] = [:]
  /// The entries at each revision.
  private(set) var history: [[String: [UInt8]]] = [[:]]
  /// How many keys were removed, which a watcher may no longer be told.
  private(set) var removals = 0
  private(set) var terms: [String: Term] = [:]
  /// In nanoseconds.
  var now: Int64 = 1_000

  private static func bytes(_ entries: [String: Versioned]) -> Int {
    entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes.count }
  }

  /// Writes, unless there is a reason against it.
  ///
  /// - Returns: every reason; empty for a write that is made.
  mutating func apply(_ changes: [Mutation], _ conditions: [Condition], _ fence: Lease?) -> Set<Refusal> {
    var refusals: Set<Refusal> = []
    if let fence, !holds(fence) { refusals.insert(.fenced) }
    for condition in conditions {
      let (key, expected) =
        switch condition {
        case .absent(let key): (key, Int64(0))
        case .revision(let key, let revision): (key, revision)
        }
      if entries[key]?.revision ?? 0 != expected { refusals.insert(.conflict) }
    }
    var new = entries
    var removed = 0
    for change in changes {
      switch change {
      case .set(let key, let bytes):
        if key.utf8.isEmpty || key.utf8.count > 25 || bytes.count > 5 { refusals.insert(.quota) }
        new[key] = Versioned(bytes: bytes, revision: revision + 1)
      case .remove(let key):
        new[key] = nil
        removed += 1
      case .removeAll:
        removed += new.count
        new = [:]
      }
    }
    if Self.bytes(new) > 40, Self.bytes(new) > Self.bytes(entries) { refusals.insert(.quota) }
    guard refusals.isEmpty, !changes.isEmpty else { return refusals }
    (entries, revision, removals) = (new, revision + 1, removals + removed)
    history.append(new.mapValues(\.bytes))
    return []
  }

  // MARK: Leases

  func isHeld(_ name: String) -> Bool { terms[name].map { $0.owner != nil && now < $0.end } ?? false }

  func holds(_ lease: Lease) -> Bool {
    isHeld(lease.name) && terms[lease.name]?.owner == lease.owner && terms[lease.name]?.token == lease.token
  }

  func holder(of name: String) -> Lease? {
    guard isHeld(name), let term = terms[name], let owner = term.owner else { return nil }
    return Lease(name: name, owner: owner, token: term.token)
  }

  mutating func acquire(_ name: String, _ owner: OwnerID, until end: Int64) -> Lease? {
    if isHeld(name), terms[name]?.owner != owner { return nil }
    terms[name] = Term(owner: owner, token: (terms[name]?.token ?? 0) + 1, end: end)
    return holder(of: name) ?? Lease(name: name, owner: owner, token: terms[name]?.token ?? 0)
  }

  mutating func renew(_ lease: Lease, until end: Int64) -> Bool {
    guard holds(lease) else { return false }
    terms[lease.name]?.end = end
    return true
  }

  mutating func release(_ lease: Lease) { if holds(lease) { terms[lease.name]?.owner = nil } }
}
