internal import ConfigurationFiles
internal import HTTP
internal import JSON
internal import Text

/// The body of an answer that refuses something (RFC 6749, 5.2, and what Microsoft adds).
struct ServerFailure: Sendable, Equatable {
  let status: Int
  let error: String
  let suberror: String?
  /// The first of `error_codes`, or the number that the description begins with.
  let code: Int?
  /// The server's description for users, without the secrets of the exchange.
  let saying: String
  let correlationID: String?
  let continuationToken: Secret?
  /// The attributes that are required, invalid or unverified.
  let attributes: [RequiredAttribute]
  let isEmpty: Bool
  let isWebPage: Bool
  /// The seconds that the server asks the client to wait before the next request; nil when it names none.
  let retryAfter: Int?

  /// - Parameter secrets: what was sent.
  init(_ reply: ServerReply, hiding secrets: [Secret]) {
    status = reply.status
    error = reply.text("error", most: 128).map { quotable($0) } ?? ""
    suberror = reply.text("suberror", most: 128).map { quotable($0) }
    let description = reply.paragraph("error_description", most: 8_192) ?? ""
    code = reply.integers("error_codes").first ?? Self.number(in: description)
    saying = Self.hide(secrets + reply.secrets, in: description)
    correlationID = reply.text("correlation_id", most: 64).map { quotable($0) }
    continuationToken = reply.secret("continuation_token")
    attributes =
      ["required_attributes", "invalid_attributes", "unverified_attributes"]
      .compactMap { reply.objects($0) }.first { !$0.isEmpty }?.compactMap(RequiredAttribute.init) ?? []
    isEmpty = reply.body == .empty
    isWebPage = reply.body == .webPage
    retryAfter = reply.retryAfter
  }

  /// The number of `AADSTS50126: …`.
  private static func number(in description: String) -> Int? {
    guard description.hasPrefix("AADSTS") else { return nil }
    return Int(description.dropFirst(6).prefix(9).prefix { $0.isASCII && $0.isNumber })
  }

  private static func hide(_ secrets: [Secret], in description: String) -> String {
    // A description that repeats a secret is dropped, also when the server changed its spaces.
    func plain(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    let text = plain(description)
    for secret in secrets {
      let value = secret.revealed()
      let encoded = PercentEncoding.encoded(value)
      for form in [plain(value), encoded, encoded.replacing("%20", with: "+")] {
        // A mark that a server puts behind a secret makes another character of its end, and another secret of none.
        if !form.isEmpty, text.contains(form) || text.utf8.contains(form.utf8) { return "" }
      }
    }
    let end = description.firstRange(of: "Trace ID:")?.lowerBound ?? description.endIndex
    return quotable(description[..<end].prefix { !$0.isNewline })
  }

  var words: String? { error.isEmpty ? nil : suberror.map { "\(error)/\($0)" } ?? error }
}
