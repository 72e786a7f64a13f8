import ExtensionProtocol
import JSON

extension ExtensionError {
  /// A permission that the manifest does not ask for.
  static func notAsked(for kind: PermissionKind, by identity: Caller.Identity) -> ExtensionError {
    ExtensionError(
      .permissionDenied, "The manifest of \(identity.id) does not ask for the permission “\(kind.name)”.",
      recovery: "Ask for it with the key \(kind.manifestKey) in the extension's manifest.",
      details: ["permission": .string(kind.name), "state": .string(PermissionState.denied.rawValue)])
  }

  /// Returns the error of a call that needs a permission which is not granted.
  static func missing(
    _ name: String, _ state: PermissionState, method: String, by identity: Caller.Identity
  ) -> ExtensionError {
    if let kind = PermissionKind.named(name), !identity.permissions.contains(where: { $0.name == name }) {
      return .notAsked(for: kind, by: identity)
    }
    return ExtensionError(
      .permissionDenied, "\(method) needs the permission “\(name)”, \(state.reason).",
      recovery: "Let the user grant it to \(identity.id), then call again.",
      details: details(name, state, identity, "method", method))
  }

  /// Returns the error for an app group of another app, which the user has not granted.
  static func foreign(group: String, _ state: PermissionState, to identity: Caller.Identity) -> ExtensionError {
    let name = PermissionKind.groups.name
    return ExtensionError(
      .permissionDenied,
      "The app group \(group) belongs to another app; using it needs the permission “\(name)”, \(state.reason).",
      recovery: "Let the user grant it to \(identity.id), then start it again.",
      details: details(name, state, identity, "group", group))
  }

  /// Returns the error of a program that needs to generate code, which the user has not granted.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - why: the reason, in one sentence.
  static func generatesCode(
    _ program: String, because why: String, _ state: PermissionState, _ identity: Caller.Identity
  ) -> ExtensionError {
    let name = PermissionKind.generatedCode.name
    return ExtensionError(
      .permissionDenied,
      "\(identity.displayName) was not started. \(why) That needs the permission “\(name)”, \(state.reason).",
      recovery: "Let the user grant it to \(identity.id), then start it again.",
      details: details(name, state, identity, "program", program))
  }

  private static func details(
    _ name: String, _ state: PermissionState, _ identity: Caller.Identity, _ what: String, _ value: String
  ) -> [String: JSONValue] {
    [
      what: .string(value), "permission": .string(name), "state": .string(state.rawValue),
      "extension": .string(identity.id),
    ]
  }
}

extension PermissionState {
  /// Why it is not granted, as a clause.
  fileprivate var reason: String {
    self == .denied ? "which the user has denied" : "about which the user has not decided"
  }
}
