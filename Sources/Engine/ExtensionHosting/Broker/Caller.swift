public import ExtensionProtocol
import JSON
public import JSONRPC
import Sandbox
import Text

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
    /// Who signed it, for people: the team, or `unsigned, local`.
    public var origin = "unsigned, local"

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
  public func isEntitled(toGroup group: String) -> Bool { identity.isEntitled(toGroup: group) }

  /// Sends a notification to the caller; one that has exited does not hear it.
  public func notify<Notification: RemoteNotification>(_ notification: Notification) async {
    await process.notify(notification)
  }
}

extension Caller {
  /// Refuses what is not an app group of the caller's.
  ///
  /// - Throws: `groupNotEntitled` when the manifests do not name the group; `permissionDenied` when it is another app's and
  ///   the user had not granted it when the process was started.
  public func require(group: String) throws(ExtensionError) {
    if isEntitled(toGroup: group) { return }
    let asked = identity.permissions.first { $0.name == PermissionKind.groups.name }
    if let asked, asked.scope.contains(where: { $0.hasBytes(of: group) }) {
      let state = process.instance.target.permissions[asked.name] ?? .denied
      throw .foreign(group: group, state, to: identity)
    }
    throw .notEntitled(to: group, identity)
  }
}

extension ExtensionError {
  /// The error for an app group that the manifests do not name.
  static func notEntitled(to group: String, _ identity: Caller.Identity) -> ExtensionError {
    ExtensionError(
      .groupNotEntitled, "\(identity.id) is not entitled to the app group \(group).",
      details: ["group": .string(group)])
  }
}

extension Caller.Identity {
  /// Whether an app group is among the caller's, byte by byte: another spelling would be the name of another place.
  func isEntitled(toGroup group: String) -> Bool { groups.contains { $0.hasBytes(of: group) } }

  /// Whether the sandbox lets an extension write in the containers of its app groups.
  public func mayWriteInGroups(_ permissions: PermissionAuthority, points: ExtensionPointTable) -> Bool {
    let openAccess = permissions.states(for: self)[PermissionKind.openAccess.name] == .granted
    return points.definition(of: point).groups.access(openAccess: openAccess) == .readWrite
  }
}

extension Caller {
  /// Reports the progress of the call that is being served, if the caller asked for reports.
  ///
  /// - Parameters:
  ///   - progress: a number larger than in the last report.
  ///   - total: the value of `progress` at the end, when it is known.
  ///   - message: one line for the user.
  public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) {
    ProgressReporter.current?.report(CallProgress(progress, total: total, message: message))
  }

  /// Opens a stream to the caller, for what is too large for one answer: put its `id` into the result.
  ///
  /// Nothing is sent before the caller reads. Send in the handler, or in a task of the service's own.
  ///
  /// - Throws: `queueFull` when too many streams are open, `peerExited` when the caller is gone.
  public func openStream() throws(ExtensionError) -> OutgoingStream { try process.openStream() }

  /// Returns a stream that the caller has opened, whose `id` arrived in the params.
  ///
  /// - Throws: `streamUnknown` when the stream is being read already or has ended.
  public func stream(_ id: String) throws(ExtensionError) -> IncomingStream { try process.stream(id) }
}

extension ExtensionProcess {
  /// Opens a stream to the extension: pass its `id` in the params of a call.
  ///
  /// - Throws: `queueFull` when too many streams are open, `peerExited` when the extension is gone.
  public func openStream() throws(ExtensionError) -> OutgoingStream {
    do { return try connection.openStream() } catch { throw ExtensionError(error) }
  }

  /// Returns a stream that the extension has opened, whose `id` arrived in a result.
  ///
  /// - Throws: `streamUnknown` when the stream is being read already or has ended.
  public func stream(_ id: String) throws(ExtensionError) -> IncomingStream {
    do { return try connection.incomingStream(id) } catch { throw ExtensionError(error) }
  }
}
