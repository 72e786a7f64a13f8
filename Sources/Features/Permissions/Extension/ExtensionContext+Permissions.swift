import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// What the user allows an extension, as the host has said so far.
public struct ExtensionPermissions: Sendable {
  let states: [String: String]

  /// What holds for a permission, by the name of a `PermissionKind`; `denied` for one that the manifest does not ask for.
  public func state(of name: String) -> PermissionState {
    states[name].flatMap { PermissionState(rawValue: $0) } ?? .denied
  }
}

extension ExtensionContext {
  /// What the user allows. A decision that is made while the extension runs is in the next value.
  public var permissions: ExtensionPermissions { ExtensionPermissions(states: host?.permissions ?? [:]) }

  /// Asks the user for a permission that the manifest asks for. The user is asked once in each run, and may take some time.
  ///
  /// - Parameters:
  ///   - name: the name of a `PermissionKind`.
  ///   - reason: one sentence for the user.
  /// - Returns: what holds now; `undecided` when the user cannot be asked, or did not answer.
  /// - Throws: `permissionDenied` when the manifest does not ask for it.
  public func requestPermission(_ name: String, reason: String) async throws(ExtensionError) -> PermissionState {
    // The host ends a question that nobody answers; there may be others before it.
    try await call(Permissions.Request(name: name, reason: reason), deadline: .seconds(605)).state
  }
}
