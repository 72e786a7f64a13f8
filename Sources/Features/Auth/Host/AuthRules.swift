import JSON
import ExtensionHosting
import ExtensionProtocol
import Fetching
import TokenBroker

/// The tokens that an extension may use, from the entries of its manifest. Pure.
struct AuthRules: Sendable {
  let entries: [AuthEntry]

  /// - Parameter scope: of the permission `auth`.
  init(scope: [String]) { entries = scope.compactMap { AuthEntry($0) } }

  init(_ identity: Caller.Identity) {
    self.init(scope: identity.permissions.first { $0.name == PermissionKind.auth.name }?.scope ?? [])
  }

  /// The scopes as a token is asked for.
  ///
  /// - Throws: `invalidParams`. Scopes that name no API are refused too: any token would do for them.
  static func scopes(_ asked: [String]) throws(ExtensionError) -> ScopeList {
    do throws(AuthError) {
      let scopes = try ScopeList(asked)
      guard scopes.ofResources.isEmpty else { return scopes }
    } catch {
      throw ExtensionError(error)
    }
    throw ExtensionError(
      .invalidParams, "\(asked.joined(separator: " ").prefix(200)) is about who signs in, and no API's.",
      recovery: "Name a scope of the API that is called.", details: ["kind": "invalidScope"])
  }

  /// The servers that a token with these scopes may be sent to.
  ///
  /// - Parameter localServers: the servers that the tool runs on this machine.
  /// - Throws: `permissionDenied` when no entry has all of the scopes.
  func servers(
    for scopes: ScopeList, avoiding localServers: LocalServers? = nil
  ) throws(ExtensionError) -> FetchRules {
    let covering = entries.filter { $0.covers(scopes.names) }
    guard !covering.isEmpty else { throw .notNamed(scopes: scopes.names) }
    return FetchRules(covering.flatMap(\.servers), of: .auth, avoiding: localServers)
  }

  /// Checks that an extension may have a token itself.
  ///
  /// - Throws: `permissionDenied`.
  func checkToken(for scopes: ScopeList) throws(ExtensionError) {
    guard entries.contains(where: { $0.allowsToken && $0.covers(scopes.names) }) else {
      throw .notNamed(scopes: scopes.names, wantsToken: true)
    }
  }

  /// Checks that a token says no more than one entry asks for: a server may grant more than it was asked for.
  ///
  /// - Throws: `permissionDenied`.
  func checkGranted(_ granted: ScopeList, asked: ScopeList) throws(ExtensionError) {
    let fits = entries.contains { entry in
      entry.allowsToken && entry.covers(asked.names)
        && granted.ofResources.names.allSatisfy { entry.covers([$0]) || entry.covers([Self.all(of: $0)]) }
    }
    if !fits { throw .notNamed(scopes: granted.ofResources.names, wantsToken: true) }
  }

  /// The scope that stands for all of a resource's.
  private static func all(of scope: String) -> String { "\(ScopeList.resource(of: scope))/.default" }
}
