public import ExtensionProtocol
import Glibc

/// Gives each containing app a user of its own where the host runs as root, and remembers whose is which.
final class ExtensionUsers: Sendable {
  private let file: CachedStateFile<UserRecord>

  /// - Parameter state: where `users.json` lies.
  init(state: StateDirectory, log: any LogSink = NoLog()) {
    // A record that is damaged is not begun anew: users would be given out twice.
    file = CachedStateFile(
      StateFile(
        path: "\(state.path)/users.json", name: "The record of users", damage: .refuse, isDurable: true,
        timeout: .seconds(5), log: log))
  }

  /// The user of an app, which gets one when it has none.
  ///
  /// - Returns: `nil` when the host is not root: the app's extensions then run as the host's own user.
  /// - Throws: `storeFailed` when the record cannot be read or written, or no user is left.
  func user(ofApp app: String) async throws(ExtensionError) -> ExtensionUser? {
    geteuid() == 0 ? try await given(toApp: app) : nil
  }

  /// The user of the app that an app group belongs to.
  ///
  /// - Parameter app: whose it is while nobody has claimed it.
  func user(
    ofGroup group: String, _ claims: GroupClaims, else app: String
  ) async throws(ExtensionError) -> ExtensionUser? {
    try await user(ofApp: try claims.owner(of: group) ?? app)
  }

  /// As ``user(ofApp:)``, whoever runs the host.
  func given(toApp app: String) async throws(ExtensionError) -> ExtensionUser {
    if let known = try file.load()?.user(ofApp: app) { return ExtensionUser(uid: known) }
    let new = try await file.change(or: UserRecord()) { record throws(ExtensionError) in record.give(toApp: app) }
    if let new { return ExtensionUser(uid: new) }
    throw ExtensionError(.storeFailed, "Every user that extensions may have belongs to an app already.")
  }
}

extension StateDirectory {
  /// The folder of an app group, made when it is not there and given to the user that the extensions of its app run as.
  public func groupFolder(_ group: String, for caller: Caller) async throws(ExtensionError) -> String {
    let claims = caller.process.instance.supervisor.configuration.permissions.claims
    let owner = try await ExtensionUsers(state: self).user(
      ofGroup: group, claims, else: caller.identity.containingApp)
    return try folder("groups/\(group)", owner: owner)
  }
}
