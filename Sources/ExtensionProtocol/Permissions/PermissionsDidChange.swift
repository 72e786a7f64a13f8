/// `permissions/didChange`: the user has decided about a permission, host to extension. It comes before the decision is
/// enforced, so that an extension knows why a call fails.
public struct PermissionsDidChange: RemoteNotification {
  public static let method = "permissions/didChange"

  /// The name of a ``PermissionKind``.
  public var name: String
  public var state: PermissionState

  public init(name: String, state: PermissionState) {
    self.name = name
    self.state = state
  }
}
