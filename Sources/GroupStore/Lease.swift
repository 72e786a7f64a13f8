/// Who holds a lease; any text that no two owners share.
package struct OwnerID: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }
}

/// The right to be the only one who does something, for some time.
///
/// The time is the backend's: it counts from the call that acquired or renewed. An owner counts from before it called, and
/// stops some time before the end.
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
