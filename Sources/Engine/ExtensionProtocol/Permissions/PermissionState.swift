/// What a user has said to something that an extension wants to be allowed.
public enum PermissionState: String, Codable, Sendable, Hashable, CaseIterable {
  /// The user granted the permission.
  case granted
  /// The user refused the permission.
  case denied
  /// The user was not asked, or did not answer. Undecided is not denied: the user can still be asked.
  case undecided
}

/// `permissions/didChange`: the user has decided about a permission, host to extension. It comes before the decision is
/// enforced, so that an extension knows why a call fails.
public struct PermissionsDidChange: RemoteNotification {
  /// The wire name.
  public static let method = "permissions/didChange"

  /// The name of a ``PermissionKind``.
  public var name: String
  /// What the user has said.
  public var state: PermissionState

  /// - Parameters:
  ///   - name: the name of a ``PermissionKind``.
  ///   - state: what the user has said.
  public init(name: String, state: PermissionState) {
    self.name = name
    self.state = state
  }
}
