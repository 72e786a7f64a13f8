internal import ConfigurationFiles
internal import HTTP
internal import JSON

/// The answer of the server, from the redirect of a browser.
enum RedirectAnswer: Sendable, Equatable {
  case code(Secret)
  case refused(AuthError)
  /// The redirect belongs to no sign-in of this flow; the flow ignores it.
  case foreign

  /// Reads the answer from the query of a redirect.
  ///
  /// - Parameters:
  ///   - query: the query as the browser sent it.
  ///   - state: the value that the redirect has to contain as `state`.
  init(query: String?, state: Secret, endpoints: ServerMetadata, server: String) {
    self = .foreign
    guard let query, query.utf8.count <= 16_384, let fields = Self.fields(query),
      fields["state"].map({ Secret($0) }) == state
    else { return }
    if fields["iss"] ?? (endpoints.namesIssuer ? nil : endpoints.issuer) != endpoints.issuer {
      self = .refused(AuthError(.invalidAnswer, "The browser came back from another server than \(server)."))
    } else if let error = fields["error"] {
      self = .refused(Self.error(error, fields["error_description"], server))
    } else if let code = fields["code"], (1...8_192).contains(code.utf8.count) {
      self = .code(Secret(code))
    } else {
      self = .refused(AuthError(.invalidAnswer, "The browser came back from \(server) without a code."))
    }
  }

  private static func error(_ word: String, _ description: String?, _ server: String) -> AuthError {
    var members: [(String, String)] = [("error", String(word.prefix(128)))]
    if let description { members.append(("error_description", String(description.prefix(1_024)))) }
    let body = ServerReply.Body.object(.init(members.map { ($0.0, .string($0.1)) }))
    let failure = ServerFailure(ServerReply(status: 400, body: body), hiding: [])
    return AuthError(failure, purpose: .authorizationCode, server: server)
  }

  /// Returns the fields of a query; nil when a name occurs twice or an escape is not valid.
  private static func fields(_ query: String) -> [String: String]? {
    var fields: [String: String] = [:]
    for pair in FormPairs.split(query) {
      guard let name = PercentEncoding.decodedForm(pair.name),
        let value = PercentEncoding.decodedForm(pair.value ?? "")
      else { return nil }
      guard fields.updateValue(value, forKey: name) == nil else { return nil }
    }
    return fields
  }
}
