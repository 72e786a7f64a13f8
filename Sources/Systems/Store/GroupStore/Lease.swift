import Time

/// The owner of a lease: any text that is unique among the owners.
package struct OwnerID: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The text, such as a host name with a process identifier.
  package let name: String
  /// Creates an owner from a unique text.
  package init(_ name: String) { self.name = name }
  /// Creates an owner from a literal.
  package init(stringLiteral name: String) { self.name = name }
}

/// The exclusive right to do something for a limited time.
///
/// The backend's clock decides when the lease expires, counted from the call that acquired or renewed it. So an owner
/// counts from before that call, and stops some time before the end.
package struct Lease: Sendable, Equatable {
  /// The name that owners compete for.
  package let name: String
  /// The owner that acquired the lease.
  package let owner: OwnerID
  /// A number that grows with each acquisition of the name. The backend refuses a write with an older token.
  package let token: Int64

  /// Creates a lease as a backend granted it.
  package init(name: String, owner: OwnerID, token: Int64) {
    self.name = name
    self.owner = owner
    self.token = token
  }
}

/// Who holds a name at a moment, and in which store.
package struct LeaseHolder: Sendable, Equatable {
  /// The lease that has not ended; `nil` when nobody holds the name.
  package let lease: Lease?
  /// Tokens can be compared within one store only.
  package let store: StoreID

  package init(_ lease: Lease?, in store: StoreID) {
    self.lease = lease
    self.store = store
  }
}

/// A lease as a backend stores it: the rules of acquiring, renewing and releasing, without storage.
struct LeaseTerm: Sendable, Equatable {
  /// The owner; `nil` after a release.
  var owner: String?
  var token: Int64
  var boot: String
  /// The end of the term, in nanoseconds of the boot clock.
  var end: Int64

  /// Whether the lease is held: it has an owner, was granted since the machine started, and has not expired.
  func isHeld(_ clock: BootClock) -> Bool { owner != nil && boot == clock.boot && clock.now() < end }

  /// The lease of whoever holds the name now.
  func lease(named name: String, _ clock: BootClock) -> Lease? {
    guard isHeld(clock), let owner else { return nil }
    return Lease(name: name, owner: OwnerID(owner), token: token)
  }

  func isHeld(by lease: Lease, _ clock: BootClock) -> Bool {
    isHeld(clock) && owner == lease.owner.name && token == lease.token
  }

  /// Returns the term of a new holder.
  ///
  /// - Returns: the term; `nil` while another owner holds the lease.
  static func taking(
    over term: LeaseTerm?, for owner: OwnerID, _ duration: Duration, _ clock: BootClock
  ) -> LeaseTerm? {
    if let term, term.isHeld(clock), term.owner != owner.name { return nil }
    return LeaseTerm(
      owner: owner.name, token: (term?.token ?? 0) + 1, boot: clock.boot, end: clock.end(of: duration))
  }
}
