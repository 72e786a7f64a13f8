/// What a user has said to something that an extension wants to be allowed.
public enum PermissionState: String, Codable, Sendable, Hashable, CaseIterable {
  /// The user agreed.
  case granted
  /// The user refused.
  case denied
  /// The user was not asked, or did not answer. Undecided is not denied: the user can still be asked.
  case undecided
}
