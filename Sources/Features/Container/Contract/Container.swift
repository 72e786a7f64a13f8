public import ExtensionProtocol

/// `container/…`: the folders that an app and its extensions share, by app group.
public enum Container: ServiceContract {
  /// The prefix of the method.
  public static let name = "container"
  /// Open to every extension point.
  public static let methods: [any RemoteMethod.Type] = [Path.self]
  /// Every extension point.
  public static let access = [
    Allowlist.Row(
      "container/*", nil, nil, "A container must be an app group's of the extension and of its containing app.")
  ]

  /// The access to a folder, which the sandbox enforces.
  public enum Mode: String, Codable, Sendable, CaseIterable {
    /// List and read: `ro` on the wire.
    case readOnly = "ro"
    /// Create, change and delete as well: `rw` on the wire.
    case readWrite = "rw"
  }

  /// `container/path`
  public struct Path: RemoteMethod {
    /// The wire name; extensions call it. A group that is not the caller's is refused with `groupNotEntitled`.
    public static let method = "container/path"

    /// Where the folder is, and what the caller may do there.
    public struct Result: Codable, Sendable, Equatable {
      /// An absolute path, the same for the host and inside of the sandbox.
      public var path: String
      /// `ro` for a keyboard without open access, `rw` for everybody else.
      public var mode: Mode

      /// Creates an answer; the path is absolute.
      public init(path: String, mode: Mode) {
        self.path = path
        self.mode = mode
      }
    }

    /// The app group's identifier.
    public var group: String
    /// Creates the params. Both manifests, the extension's and its containing app's, must name the group.
    public init(group: String) { self.group = group }
  }
}
