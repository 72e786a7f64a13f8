internal import JSONRPC

/// The body of a good answer: `{"data": …, "errors": …}` (GraphQL, 7.1).
struct GraphQLAnswer: Equatable, Sendable {
  /// An object.
  let data: JSONValue
  /// Not empty.
  let errors: JSONValue?

  /// Nesting that is left when the answer travels on inside another message.
  private static let maximumDepth = 60

  /// - Parameters:
  ///   - server: `scheme://host`, for messages.
  ///   - status: that of the answer, for errors.
  /// - Throws: `invalidAnswer` for bytes that are no such object, `queryFailed` for errors without data.
  init(body: [UInt8], query: String, server: String, status: Int) throws(ContentError) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONCoding.parse(body, maximumDepth: Self.maximumDepth) } catch {
      throw ContentError(
        .invalidAnswer, "\(server) answered \"\(query)\" with something that is not JSON: \(error)",
        recovery: "Check that AEM_HOST names an AEM publish or author instance.", httpStatus: status)
    }
    let found = value["errors"] ?? .null
    let hasErrors = !found.isNull && found.arrayValue?.isEmpty != true
    guard let data = value["data"], case .object = data else {
      if hasErrors { throw Self.failed(found, query: query, status: status) }
      throw ContentError(
        .invalidAnswer, "\(server) answered \"\(query)\" with JSON that has no data.",
        recovery: "Check that AEM_HOST names an AEM instance and that the persisted query is a query.",
        httpStatus: status)
    }
    self.data = data
    // Written out: `nil` alone would be JSON's null.
    self.errors = hasErrors ? found : Optional<JSONValue>.none
  }

  /// The errors of a body that has some; nil for any other body.
  static func failure(body: [UInt8], query: String, status: Int) -> ContentError? {
    guard let value = try? JSONCoding.parse(body, maximumDepth: maximumDepth), let errors = value["errors"],
      errors.arrayValue?.isEmpty == false
    else { return nil }
    return failed(errors, query: query, status: status)
  }

  private static func failed(_ errors: JSONValue, query: String, status: Int) -> ContentError {
    let list = errors.arrayValue ?? [errors]
    let messages = list.prefix(3).map { quotable($0["message"]?.stringValue ?? $0.description) }
    let more = list.count > 3 ? " (and \(list.count - 3) more)" : ""
    return ContentError(
      .queryFailed, "AEM could not run \"\(query)\": \(messages.joined(separator: "; "))\(more)",
      recovery: "Check the variables and the persisted query.", httpStatus: status)
  }
}
