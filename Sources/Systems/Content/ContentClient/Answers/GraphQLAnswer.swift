internal import JSON
internal import Text

/// The body of a good answer: `{"data": …, "errors": …}` (GraphQL, 7.1).
struct GraphQLAnswer: Equatable, Sendable {
  /// The `data` member, an object.
  let data: JSONValue
  let errors: [QueryError]

  /// Nesting that is left when the answer travels on inside another message.
  private static let maximumDepth = 60

  init(data: JSONValue, errors: [QueryError]) {
    self.data = data
    self.errors = errors
  }

  /// - Parameters:
  ///   - server: `scheme://host`, for messages.
  ///   - status: that of the answer, for errors.
  ///   - quote: makes foreign text fit for a message.
  /// - Throws: `invalidAnswer` for bytes that are no such object, `queryFailed` for errors without data.
  init(
    body: [UInt8], query: String, server: String, status: Int, quote: (String) -> String = { quotable($0) }
  ) throws(ContentError) {
    let value: JSONValue
    do throws(JSONError) { value = try ForeignJSON.parse(body, maximumDepth: Self.maximumDepth) } catch {
      throw ContentError(
        .invalidAnswer,
        "\(server) answered \"\(query)\" with something that is not JSON: \(quote(error.message)) "
          + "(byte \(error.offset))",
        recovery: "Check that AEM_HOST names an AEM publish or author instance.", httpStatus: status)
    }
    let errors = QueryError.all(in: value["errors"])
    guard let data = value["data"], case .object = data else {
      if !errors.isEmpty { throw Self.failed(errors, query: query, status: status, quote) }
      throw ContentError(
        .invalidAnswer, "\(server) answered \"\(query)\" with JSON that has no data.",
        recovery: "Check that AEM_HOST names an AEM instance and that the persisted query is a query.",
        httpStatus: status)
    }
    self.data = data
    self.errors = errors
  }

  /// The errors of a body that has some; nil for any other body.
  static func failure(body: [UInt8], query: String, status: Int, quote: (String) -> String) -> ContentError? {
    guard let value = try? ForeignJSON.parse(body, maximumDepth: maximumDepth) else { return nil }
    let errors = QueryError.all(in: value["errors"])
    return errors.isEmpty ? nil : failed(errors, query: query, status: status, quote)
  }

  private static func failed(
    _ errors: [QueryError], query: String, status: Int, _ quote: (String) -> String
  ) -> ContentError {
    let messages = errors.prefix(3).map { quote($0.message) }
    let more = errors.count > 3 ? " (and \(errors.count - 3) more)" : ""
    return ContentError(
      .queryFailed, "AEM could not run \"\(query)\": \(messages.joined(separator: "; "))\(more)",
      recovery: "Check the variables and the persisted query.", httpStatus: status, errors: errors)
  }
}
