package import ConfigurationFiles
package import HTTPClient
import Text

/// The identity server of an application, and the client's identity and abilities there.
package struct IdentityConfiguration: Sendable, Equatable {
  /// The protocol of the server.
  package enum Kind: String, Sendable, CaseIterable {
    /// The native authentication of Microsoft Entra External ID, version 1.
    case native
    /// OpenID Connect, or plain OAuth 2.0.
    case openIDConnect
  }

  /// `https://name.ciamlogin.com/name.onmicrosoft.com`, or the issuer; without a slash at its end.
  package let authority: String
  /// The identifier that the server assigned to the application.
  package let clientID: String
  /// The protocol that the server speaks.
  package let kind: Kind
  /// The challenge types that the application supports, of `password` and `oob`; always includes `redirect`.
  package let challengeTypes: [String]
  /// Header fields of the application's own, for every request.
  package let additionalHeaders: HTTPFields
  /// The secret of a client that has one; nil for a public client. Only a server of OpenID Connect is sent it.
  package var clientSecret: Secret?

  private static let reservedPrefixes = ["x-ms-", "x-client-", "x-broker-", "x-app-"]

  /// - Throws: `AuthError`, `invalidConfiguration`.
  package init(
    authority: String, clientID: String, kind: Kind, challengeTypes: [String] = ["password", "oob"],
    additionalHeaders: HTTPFields = [:]
  ) throws(AuthError) {
    var authority = authority
    while authority.hasSuffix("/") { authority.removeLast() }
    let shown = quotable(authority)
    guard authority.utf8.count <= 2_048, authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !authority.utf8.contains(where: { "?#\"<>\\".utf8.contains($0) }), let origin = HTTPOrigin(url: authority)
    else {
      throw Self.invalid("\"\(shown)\" is not an address of an identity server.", "Write it as https://host/path.")
    }
    guard origin.scheme == "https" || origin.isLoopback else {
      throw Self.invalid(
        "The identity server \(shown) would be asked without encryption.", "Use https; http is for this machine alone.")
    }
    guard (1...256).contains(clientID.utf8.count), clientID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Self.invalid(
        "\"\(quotable(clientID))\" is not a client.", "Give the ID that the server has for the client.")
    }
    for type in challengeTypes where !["password", "oob", "redirect"].contains(type) {
      throw Self.invalid("\"\(quotable(type))\" is no way of signing in.", "Name password, oob, or both.")
    }
    for field in additionalHeaders.all
    where Self.reservedPrefixes.contains(where: { field.name.lowercased().hasPrefix($0) }) {
      throw Self.invalid("The header field \(quotable(field.name)) is the library's own.", "Choose another name.")
    }
    self.authority = authority
    self.clientID = clientID
    self.kind = kind
    self.challengeTypes = challengeTypes.filter { $0 != "redirect" } + ["redirect"]
    self.additionalHeaders = additionalHeaders
  }

  private static func invalid(_ message: String, _ recovery: String) -> AuthError {
    AuthError(.invalidConfiguration, message, recovery: recovery)
  }

  /// Host and port, for messages and as the environment of the cache; the port is left out where it is the scheme's own.
  package var environment: String {
    guard let origin = HTTPOrigin(url: authority) else { return authority }
    let isUsual = origin.port == (origin.scheme == "https" ? 443 : 80)
    return isUsual ? origin.host : "\(origin.host):\(origin.port)"
  }

  /// The first part of the authority's path: the tenant, where an answer does not name it.
  var realm: String {
    let parts = authority.pathParts()
    return parts.count > 2 ? parts[2...].joined(separator: "/") : ""
  }

  /// Whether plain http may be used for what the server names.
  var isLoopback: Bool { HTTPOrigin(url: authority)?.isLoopback ?? false }
}
