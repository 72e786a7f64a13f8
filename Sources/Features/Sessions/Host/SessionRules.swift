import JSON
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Fetching
import HTTPClient

/// What the transfers of an extension lean on: the servers and the app group that its manifest names and its user has
/// agreed to. Asked when a transfer is added, at its every start, and at every redirect.
struct SessionRules: Sendable {
  let permissions: PermissionAuthority
  let points: ExtensionPointTable
  /// The servers that the tool runs on this machine.
  let localServers: LocalServers

  /// Returns the reason a transfer may not go to a URL; `nil` when it may.
  func refusal(of url: String, for identity: Caller.Identity) -> ExtensionError? {
    let origin: HTTPOrigin
    do { origin = try FetchPlan.origin(url) } catch { return error }
    for name in Self.needed(at: identity.point, points) {
      let state = permissions.state(of: name, for: identity)
      if state != .granted { return .transfersNeed(name, state, identity) }
    }
    let asked = identity.permissions.first { $0.name == PermissionKind.network.name }
    return FetchRules(entries: asked?.scope ?? [], avoiding: localServers).refusal(of: origin)
  }

  /// Returns the reason an extension may not have its transfers in an app group now; `nil` when it may.
  ///
  /// - Parameter writes: whether files are put there.
  func refusal(
    ofGroup group: String, writes: Bool, for identity: Caller.Identity, in registry: ExtensionRegistry
  ) -> ExtensionError? {
    if let refusal = permissions.refusal(ofGroup: group, to: identity, in: registry) { return refusal }
    guard writes, !identity.mayWriteInGroups(permissions, points: points) else { return nil }
    return ExtensionError(
      .permissionDenied, "\(identity.id) may read in the container of \(group), and write nothing there.",
      recovery: "Let the user grant what the extension point needs for that, then begin the transfer again.",
      details: ["group": .string(group), "extension": .string(identity.id)])
  }

  /// The addresses that may be connected to for a URL.
  func reaches(of url: String) -> Set<AddressReach>? { HTTPOrigin(url: url).map { FetchRules.reaches(of: $0) } }

  /// The permissions that transfers need at a point.
  private static func needed(at point: ExtensionPoint, _ points: ExtensionPointTable) -> [String] {
    let row = points.definition(of: point).access.first { $0.covers(Sessions.DownloadTask.method) }
    return row?.permissions ?? [PermissionKind.network.name]
  }
}

extension ExtensionError {
  /// The error for a session that another process has, or that was taken up anew.
  static func disconnected(_ identifier: String, _ epoch: Int64, _ caller: Caller) -> ExtensionError {
    .session(
      .wasDisconnected, "\(caller.identity.displayName) does not have the session “\(identifier)” in epoch \(epoch).")
  }

  /// The error for transfers without the user's permission, never granted or withdrawn.
  fileprivate static func transfersNeed(
    _ name: String, _ state: PermissionState, _ identity: Caller.Identity
  ) -> ExtensionError {
    ExtensionError(
      .permissionDenied,
      "Transfers of \(identity.id) need the permission “\(name)”, which is \(state == .undecided ? "not granted" : "denied").",
      recovery: "Let the user grant it to \(identity.id), then begin the transfer again.",
      details: [
        "permission": .string(name), "state": .string(state.rawValue), "extension": .string(identity.id),
      ])
  }
}
