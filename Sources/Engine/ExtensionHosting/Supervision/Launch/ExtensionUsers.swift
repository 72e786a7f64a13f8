public import ExtensionProtocol
package import Files
import Sandbox

/// Assigns each containing app its own system user when the host runs as root, and stores the assignment.
final class ExtensionUsers: Sendable {
  private let file: CachedStateFile<UserRecord>

  /// - Parameter state: where `users.json` lies.
  init(state: StateDirectory, log: any LogSink = NoLog()) {
    // A damaged record is not replaced by an empty one, because users would be assigned twice.
    file = CachedStateFile(
      StateFile(
        path: "\(state.path)/users.json", name: "The record of users", damage: .refuse, isDurable: true,
        timeout: .seconds(5), log: log))
  }

  /// The user of an app, which gets one when it has none.
  ///
  /// - Returns: `nil` when the host is not root, see `HostIdentity`: the app's extensions then run as the host's own user.
  /// - Throws: `storeFailed` when the record cannot be read or written, or no user is left.
  func user(ofApp app: String) async throws(ExtensionError) -> ExtensionUser? {
    HostIdentity.current.isRoot ? try await given(toApp: app) : nil
  }

  /// Returns the user of the app that an app group belongs to.
  ///
  /// - Parameter app: the owner of a group that no app has claimed.
  func user(
    ofGroup group: String, _ claims: GroupClaims, else app: String
  ) async throws(ExtensionError) -> ExtensionUser? {
    try await user(ofApp: try claims.owner(of: group) ?? app)
  }

  /// Returns the user that an app has; `nil` when it has none.
  func known(toApp app: String) throws(ExtensionError) -> ExtensionUser? {
    HostIdentity.current.isRoot ? try file.load()?.user(ofApp: app).map { ExtensionUser(uid: $0) } : nil
  }

  /// Returns the app's user like ``user(ofApp:)``, but regardless of the host's user.
  func given(toApp app: String) async throws(ExtensionError) -> ExtensionUser {
    if let known = try file.load()?.user(ofApp: app) { return ExtensionUser(uid: known) }
    let new = try await file.change(or: UserRecord()) { record throws(ExtensionError) in record.give(toApp: app) }
    if let new { return ExtensionUser(uid: new) }
    throw ExtensionError(.storeFailed, "Every user that extensions may have belongs to an app already.")
  }
}

extension StateDirectory {
  /// Returns the user with whose rights files are opened for an app; `nil` when that is the host's own, or when no process
  /// of the app was ever started.
  package func fileUser(ofApp app: String) throws(ExtensionError) -> FileUser? {
    try ExtensionUsers(state: self).known(toApp: app).map { FileUser(user: $0.uid, group: $0.gid) }
  }

  /// Returns the folder of an app group. Creates it when it is missing, and gives it to the user of the app's
  /// extensions.
  public func groupFolder(_ group: String, for caller: Caller) async throws(ExtensionError) -> String {
    let claims = caller.process.instance.supervisor.configuration.permissions.claims
    let owner = try await ExtensionUsers(state: self).user(
      ofGroup: group, claims, else: caller.identity.containingApp)
    return try folder("groups/\(group)", owner: owner)
  }
}

/// The user that an extension runs as when the host runs as root: one for each containing app, never 0.
///
/// The identifiers lie in ``range``, which systemd's user and group ranges leave unused. Those of apps are given out by
/// ``ExtensionUsers``; the first of them are for programs that the tool itself runs.
package struct ExtensionUser: Sendable, Equatable {
  /// 1879048192 to 2147483647.
  static let range = HostIdentity.extensionUsers
  /// What is given out to apps.
  static let ofApps = range.lowerBound + 16...range.upperBound

  /// The user's identifier, and that of its group.
  package let uid: UInt32
  package var gid: UInt32 { uid }

  init(uid: UInt32) { self.uid = uid }

  /// For a program that is run by hand, in folders of its own: `host sandbox run`, and the start that `host doctor` tries.
  ///
  /// - Returns: `nil` when the host is not root, see `HostIdentity`: the program then runs as the host's own user.
  package static var ofTool: ExtensionUser? {
    HostIdentity.current.isRoot ? ExtensionUser(uid: range.lowerBound) : nil
  }
}
