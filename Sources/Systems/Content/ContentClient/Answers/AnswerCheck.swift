internal import HTTPClient
internal import Text

/// Distinguishes a GraphQL answer from any other response of a web server, for example a login page.
struct AnswerCheck: Sendable {
  private let configuration: ContentConfiguration
  private let query: String
  private let hidden: HiddenTexts
  private let obstacle: PersistedQuery.Obstacle?

  /// - Parameters:
  ///   - query: its path, fit for a message.
  ///   - hidden: what no message shows.
  ///   - obstacle: why it went by POST; nil for a GET.
  init(
    _ configuration: ContentConfiguration, query: String, hidden: HiddenTexts,
    obstacle: PersistedQuery.Obstacle? = nil
  ) {
    self.configuration = configuration
    self.query = query
    self.hidden = hidden
    self.obstacle = obstacle
  }

  private var server: String { configuration.origin }

  /// - Throws: `ContentError` for every answer that is not 200 with data.
  func answer(in response: HTTPResponse) throws(ContentError) -> GraphQLAnswer {
    if response.status == 200 {
      try checkMediaType(of: response)
      return try GraphQLAnswer(
        body: response.body, query: query, server: server, status: 200, quote: { hidden.quoted($0) })
    }
    throw failure(of: response)
  }

  private func checkMediaType(of response: HTTPResponse) throws(ContentError) {
    let type = response.mediaType
    if type == "application/json" || type == "application/graphql-response+json" || type.isEmpty { return }
    if type.hasSuffix("html") || type.hasSuffix("html+xml") { throw signInPage(response.status) }
    throw ContentError(
      .invalidAnswer, "\(server) answered \"\(query)\" with \(hidden.quoted(type)) instead of JSON.",
      recovery: "Check that AEM_HOST names an AEM publish or author instance.", httpStatus: response.status)
  }

  private func failure(of response: HTTPResponse) -> ContentError {
    let status = response.status
    if let obstacle, status == 404 || status == 405 { return postRefused(obstacle, status) }
    switch status {
    case 300..<400 where status != 304: return redirected(response)
    case 401:
      return error(.unauthorized, "\(server) does not accept the credentials (401).", credentialsAdvice, status)
    case 403:
      return error(
        .forbidden, "\(server) refuses \"\(query)\" (403).",
        "Check the permissions of the user, and that the dispatcher allows /graphql/execute.json. \(credentialsAdvice)",
        status)
    case 404: return notFound(response)
    case 405:
      return error(
        .unexpectedStatus, "\(server) does not allow GET for \"\(query)\" (405).",
        "Check that this address is on the allow-list of the AEM environment.", status)
    case 429:
      return error(.rateLimited, "\(server) receives too many requests (429).", "Wait, then try again.", status)
    default: break
    }
    // Where the server is set to report GraphQL's errors by status.
    if response.mediaType.hasSuffix("json"),
      let failed = GraphQLAnswer.failure(
        body: response.body, query: query, status: status, quote: { hidden.quoted($0) })
    {
      return failed
    }
    let said = saying(response)
    if (500..<600).contains(status) {
      return error(.serverError, "\(server) failed with status \(status)\(said).", "Try again later.", status)
    }
    return error(
      .unexpectedStatus, "\(server) answered \"\(query)\" with status \(status)\(said).",
      "Check the query path and its variables.", status)
  }

  private func notFound(_ response: HTTPResponse) -> ContentError {
    let configurationName = query.prefix { $0 != "/" }
    return error(
      .notFound, "\(server) has no persisted query \"\(query)\" (404)\(saying(response)).",
      "Check the spelling; \(server)/graphql/list.json/\(configurationName) lists what there is.",
      response.status)
  }

  private func redirected(_ response: HTTPResponse) -> ContentError {
    let location = response.headers["Location"] ?? ""
    let path = location.withoutQuery.lowercased()
    if path.contains("login") || path.contains("sign-in") || path.contains("signin") {
      return signInPage(response.status)
    }
    let target = HTTPOrigin(url: location).map { "to \($0)" } ?? "elsewhere"
    return error(
      .redirected, "\(server) redirects \"\(query)\" \(target) (\(response.status)), which is not followed.",
      "Set AEM_SCHEME and AEM_HOST to the server that answers.", response.status)
  }

  private func signInPage(_ status: Int) -> ContentError {
    error(
      .signInPage, "\(server) answered \"\(query)\" with a web page instead of JSON, most likely its sign-in page.",
      credentialsAdvice, status)
  }

  private var credentialsAdvice: String { configuration.authentication.advice }

  private func postRefused(_ obstacle: PersistedQuery.Obstacle, _ status: Int) -> ContentError {
    error(
      .postRefused,
      "\"\(query)\" had to go by POST, because \(obstacle); \(server) does not take it so, or does not know it "
        + "(\(status)).",
      "Use another value, allow POST to /graphql/execute.json in the dispatcher, or ask an author instance.", status)
  }

  /// Returns the text of a short plain-text body in brackets, for a message.
  private func saying(_ response: HTTPResponse) -> String {
    guard response.mediaType == "text/plain" else { return "" }
    let text = hidden.quoted(String(decoding: response.body.prefix(16_384), as: UTF8.self))
    return text.isEmpty ? "" : " (\(text))"
  }

  private func error(_ kind: ContentError.Kind, _ message: String, _ recovery: String, _ status: Int) -> ContentError {
    ContentError(kind, message, recovery: recovery, httpStatus: status)
  }

}

extension HTTPResponse {
  /// The media type in lower case, without parameters; empty when the answer names none.
  var mediaType: String {
    let field = (headers["Content-Type"] ?? "").prefix { $0 != ";" }
    return field.filter { !$0.isWhitespace }.lowercased()
  }
}
