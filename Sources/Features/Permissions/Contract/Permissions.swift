public import ExtensionProtocol

/// `permission/…`: an extension asks its user for what its manifest asks for.
public enum Permissions: ServiceContract {
  public static let name = "permission"
  public static let methods: [any RemoteMethod.Type] = [Request.self]
  public static let access = [
    Allowlist.Row("permission/*", nil, nil, "An extension may ask its user for what its manifest asks for.")
  ]

  /// `permission/request`: the user is asked, unless it has decided or cannot be asked.
  public struct Request: RemoteMethod {
    public static let method = "permission/request"

    public struct Result: Codable, Sendable, Equatable {
      /// `undecided` when the user did not answer: it can be asked again in another run.
      public var state: PermissionState

      public init(state: PermissionState) { self.state = state }
    }

    /// The name of a `PermissionKind`: `network`, `open-access`, `jit`.
    public var name: String
    /// Why it is wanted, for the user: one sentence, of which 200 characters are shown.
    public var reason: String

    public init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }
}
