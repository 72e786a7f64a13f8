extension SandboxCapabilities {
  /// The tiers that this machine can enforce, best first: what it reached, and what is left of it without some layers.
  package var offeredTiers: [SandboxTier] {
    switch tier {
    case .full: [.full, .sharedPID, .namespacesOnly, .light]
    case .sharedPID: [.sharedPID, .light]
    case .namespacesOnly: [.namespacesOnly]
    case .light: [.light]
    }
  }

  /// The same machine, held to another tier on purpose: to see what a weaker machine would enforce.
  ///
  /// - Throws: `sandboxUnavailable` for a tier that this machine does not offer.
  package func lowered(to other: SandboxTier) throws(SandboxError) -> SandboxCapabilities {
    guard offeredTiers.contains(other) else {
      let offered = offeredTiers.map(\.rawValue).joined(separator: ", ")
      throw SandboxError(
        .sandboxUnavailable, "This machine does not offer the tier \(other.rawValue).",
        recovery: "It offers \(offered).", failure: failures.last)
    }
    var lowered = self
    lowered.tier = other
    if other == .namespacesOnly { lowered.landlockVersion = 0 }
    return lowered
  }
}
