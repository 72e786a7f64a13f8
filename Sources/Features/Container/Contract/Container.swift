public import ExtensionProtocol

/// `container/…`: the folders that an app and its extensions share, by app group.
public enum Container: ServiceContract {
  public static let name = "container"
  public static let methods: [any RemoteMethod.Type] = [Path.self]
  public static let access = [
    Allowlist.Row(
      "container/*", nil, nil, "A container must be an app group's of the extension and of its containing app.")
  ]

  /// What the caller may do in a folder; the sandbox holds it to that.
  public enum Mode: String, Codable, Sendable {
    case readOnly = "ro"
    case readWrite = "rw"
  }

  /// `container/path`
  public struct Path: RemoteMethod {
    public static let method = "container/path"

    public struct Result: Codable, Sendable, Equatable {
      /// An absolute path, the same for the host and inside of the sandbox.
      public var path: String
      public var mode: Mode

      public init(path: String, mode: Mode) {
        self.path = path
        self.mode = mode
      }
    }

    /// The app group's identifier.
    public var group: String
    public init(group: String) { self.group = group }
  }
}
