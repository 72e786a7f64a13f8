public import ExtensionProtocol

/// `permission/…`: an extension asks its user for what its manifest asks for.
public enum Permissions: ServiceContract {
  /// The prefix of the method.
  public static let name = "permission"
  /// Open to every extension point, for what its own manifest asks for.
  public static let methods: [any RemoteMethod.Type] = [Request.self]
  /// Every extension point.
  public static let access = [
    Allowlist.Row("permission/*", nil, nil, "An extension may ask its user for what its manifest asks for.")
  ]

  /// `permission/request`: the user is asked, unless it has decided or cannot be asked.
  public struct Request: RemoteMethod {
    /// The wire name; extensions call it. A name that is no permission is refused with `invalidParams`, one that the
    /// manifest does not ask for with `permissionDenied`. The user is asked once for each permission and process.
    public static let method = "permission/request"

    /// The user's decision, now or from before.
    public struct Result: Codable, Sendable, Equatable {
      /// `undecided` when the user did not answer: it can be asked again in another run.
      public var state: PermissionState

      /// Answers with what the user decided, or with `undecided`.
      public init(state: PermissionState) { self.state = state }
    }

    /// The name of a `PermissionKind`: `network`, `open-access`, `jit`, `group`.
    public var name: String
    /// The reason for the permission, shown to the user: one sentence, of which 200 characters are shown.
    public var reason: String

    /// Creates the params; the user sees the first 200 characters of the reason.
    public init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }
}
