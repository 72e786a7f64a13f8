import JSON
import ExtensionHosting
import ExtensionProtocol
import Fetching
import HTTPClient
import TokenBroker

/// The tokens that an extension may use, from the entries of its manifest. Pure.
struct AuthRules: Sendable {
  let entries: [AuthEntry]

  private init(entries: [AuthEntry]) { self.entries = entries }

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

  /// The scopes that a token may have at most, for a request to a server. Only the entries count that name the server.
  ///
  /// - Parameter origin: where the request goes; nil for any server.
  func limit(for scopes: ScopeList, at origin: HTTPOrigin? = nil) -> TokenLimit {
    TokenLimit(
      entries.filter { entry in
        entry.covers(scopes.names)
          && origin.map { FetchRules(entry.servers, of: .auth).allows($0) } ?? true
      }.map { ScopeList(granted: $0.scopes.joined(separator: " ")) })
  }

  /// The scopes that a token may have at most which the extension gets itself.
  func limitOfToken(for scopes: ScopeList) -> TokenLimit {
    AuthRules(entries: entries.filter(\.allowsToken)).limit(for: scopes)
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
}
