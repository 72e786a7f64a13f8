import ExtensionProtocol
package import GroupStore

/// Leases lie where the values lie, so that all hosts that share the values agree on them.
extension SuiteStore {
  /// Takes a lease; `nil` while somebody else has it.
  ///
  /// - Throws: `storeFailed`.
  package func acquire(_ name: String, owner: OwnerID, for duration: Duration) async throws -> Lease? {
    try await wrapping { try await $0.acquire(name, owner: owner, for: duration) }
  }

  /// Lets a lease last from now; `false` when it is no longer held.
  ///
  /// - Throws: `storeFailed`.
  package func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
    try await wrapping { try await $0.renew(lease, for: duration) }
  }

  /// Gives a lease back; one that is no longer held is not an error.
  ///
  /// - Throws: `storeFailed`.
  package func release(_ lease: Lease) async throws {
    try await wrapping { try await $0.release(lease) }
  }
}
