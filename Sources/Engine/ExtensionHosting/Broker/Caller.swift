public import ExtensionProtocol

/// The caller of a service, known from the pipe that the call came through and never from its params.
public struct Caller: Sendable {
  /// The identity of an extension by the manifests.
  public struct Identity: Sendable, Equatable {
    /// The bundle identifier.
    public var id: String
    /// `CFBundleShortVersionString` of the manifest, or `CFBundleVersion` when that is missing.
    public var version: String?
    /// The name for people. It comes from the manifest: make it safe before you print it.
    public var displayName: String
    /// The extension point. A containing app has `containing-app`, this project's own.
    public var point: ExtensionPoint
    /// The containing app's identifier; its own, for the app itself.
    public var containingApp: String
    /// The app groups that both the extension and its containing app name.
    public var groups: [String]
    /// The names under `Annex.Entitlements`.
    public var entitlements: [String]
    /// What the manifest asks the user for.
    public var permissions: [AskedPermission]
    /// The persisted queries under `Annex.Content`; `nil` where the manifest names none, and every query is open.
    public var contentQueries: [ContentQueryPattern]?

    /// Makes an identity of what the manifests say; a host makes it for the caller, a test may make one of its own.
    ///
    /// - Parameters:
    ///   - id: the bundle identifier.
    ///   - version: for people; `nil` when it is not known.
    ///   - displayName: for people.
    ///   - point: the extension point.
    ///   - containingApp: the containing app's identifier; its own, for the app itself.
    ///   - groups: those that both manifests name; nothing checks that again.
    ///   - entitlements: the names under `Annex.Entitlements`.
    ///   - permissions: what the manifest asks for; nothing that needs consent is open to a caller without any.
    public init(
      id: String, version: String?, displayName: String, point: ExtensionPoint, containingApp: String, groups: [String],
      entitlements: [String], permissions: [AskedPermission] = []
    ) {
      self.id = id
      self.version = version
      self.displayName = displayName
      self.point = point
      self.containingApp = containingApp
      self.groups = groups
      self.entitlements = entitlements
      self.permissions = permissions
    }
  }

  /// The identity of the caller by the manifests, as they were when its process was started.
  public let identity: Identity
  /// Distinguishes the processes of one extension.
  public let instance: UInt64
  /// The process, for what a service has to tell it, or to ask it.
  public let process: ExtensionProcess

  /// Whether an app group is the caller's; its suites and its shared container are then open to it.
  public func isEntitled(toGroup group: String) -> Bool { identity.groups.contains(group) }

  /// Sends a notification to the caller; one that has exited does not hear it.
  public func notify<Notification: RemoteNotification>(_ notification: Notification) async {
    await process.notify(notification)
  }
}
