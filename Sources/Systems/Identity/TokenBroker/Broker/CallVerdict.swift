internal import ConfigurationFiles
package import HTTPClient
internal import JSON
internal import Text

/// The meaning of a web API's answer for the access token of the request.
package enum CallVerdict: Sendable, Equatable {
  /// The answer is the answer.
  case final
  /// The API rejects the token regardless of its lifetime: the broker refreshes once and the call is repeated once.
  case wantsNewToken
  /// The API demands a token with more claims. The value is the claims as JSON text; the broker refreshes once with
  /// them and the call is repeated once.
  case wantsClaims(String)

  /// - Parameter body: the beginning of it is enough; what is longer than 64 KiB is no error of a token.
  package init(status: Int, headers: HTTPFields, body: [UInt8]) {
    self = .final
    guard [400, 401, 403].contains(status) else { return }
    let challenges = headers.values(of: "WWW-Authenticate").map { BearerChallenge($0) }
    if let claims = challenges.lazy.compactMap(\.claims).first {
      self = .wantsClaims(claims)
      return
    }
    let said = challenges.lazy.compactMap(\.error).first ?? Self.error(in: body)
    switch (status, said) {
    // What the token may do, or how the user signed in, is no matter of its age (RFC 6750, 3.1; RFC 9470).
    case (_, "insufficient_scope"), (_, "insufficient_user_authentication"): break
    case (401, _): self = .wantsNewToken
    case (_, "invalid_token"), (_, "expired_token"), (_, "token_expired"), (_, "access_denied"): self = .wantsNewToken
    default: break
    }
  }

  /// The word in `{"error": "…"}`, or in `{"error": {"code": "…"}}`.
  private static func error(in body: [UInt8]) -> String? {
    guard body.count <= 1 << 16, let value = try? JSONCoding.parse(body, maximumDepth: 16) else { return nil }
    return (value["error"]?.stringValue ?? value["error"]?["code"]?.stringValue)?.lowercased()
  }
}

/// The Bearer challenge of a `WWW-Authenticate` field (RFC 6750, 3).
struct BearerChallenge: Sendable, Equatable {
  private(set) var error: String?
  /// The requested claims, as JSON text.
  private(set) var claims: String?

  init(_ field: String) {
    var rest = field.prefix(32_768)[...]
    guard rest.lowercased().hasPrefix("bearer") else { return }
    rest = rest.dropFirst(6)
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split { $0 == " " || $0 == "," || $0 == "\t" }.last.map { $0.lowercased() }
      rest = rest[rest.index(after: equals)...].drop { $0 == " " }
      let value: String
      if rest.first == "\"" {
        (value, rest) = Self.quoted(rest)
      } else {
        value = String(rest.prefix { $0 != "," && $0 != " " })
        rest = rest.dropFirst(value.count)
      }
      if name == "error", error == nil { error = value.lowercased() }
      if name == "claims", claims == nil { claims = Self.claims(value) }
    }
  }

  /// What stands in the quotation marks that a text begins with, and what is behind them. A backslash has the character
  /// behind it stand for itself (RFC 9110, 5.6.4).
  private static func quoted(_ text: Substring) -> (value: String, rest: Substring) {
    var (value, rest) = ("", text.dropFirst())
    while let character = rest.popFirst(), character != "\"" {
      value.append(character == "\\" ? rest.popFirst() ?? character : character)
    }
    return (value, rest)
  }

  /// Base64 of both alphabets, with padding or without.
  private static func claims(_ value: String) -> String? {
    let plain = value.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    guard let bytes = Base64URL.decode(String(plain)), let text = String(validating: bytes, as: UTF8.self),
      case .object = try? JSONCoding.parse(text, maximumDepth: 16)
    else { return nil }
    return text
  }
}
