import Time

/// Who holds a lease; any text that no two owners share.
package struct OwnerID: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }
}

/// The right to be the only one who does something, for some time.
///
/// The time is the backend's: it counts from the call that acquired or renewed. An owner counts from before it called,
/// and stops some time before the end.
package struct Lease: Sendable, Equatable {
  package let name: String
  package let owner: OwnerID
  /// Grows with every acquisition of the name: a write that names an older token is refused.
  package let token: Int64

  package init(name: String, owner: OwnerID, token: Int64) {
    self.name = name
    self.owner = owner
    self.token = token
  }
}

/// A lease as a backend keeps it: the rules of taking, renewing and giving back, without any storage.
struct LeaseTerm: Sendable, Equatable {
  /// `nil` after it was given back.
  var owner: String?
  var token: Int64
  var boot: String
  /// Nanoseconds of the boot clock.
  var end: Int64

  /// Whether the time has not passed; the time of another start of the machine has.
  func isHeld(_ clock: BootClock) -> Bool { owner != nil && boot == clock.boot && clock.now() < end }

  func isHeld(by lease: Lease, _ clock: BootClock) -> Bool {
    isHeld(clock) && owner == lease.owner.name && token == lease.token
  }

  /// - Returns: the term of a new holder; `nil` while somebody else has it.
  static func taking(
    over term: LeaseTerm?, for owner: OwnerID, _ duration: Duration, _ clock: BootClock
  ) -> LeaseTerm? {
    if let term, term.isHeld(clock), term.owner != owner.name { return nil }
    return LeaseTerm(
      owner: owner.name, token: (term?.token ?? 0) + 1, boot: clock.boot, end: clock.end(of: duration))
  }
}
