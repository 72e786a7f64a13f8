import HTTP
import HTTPServer

/// The parameters of a request, from its body or its query: `application/x-www-form-urlencoded`.
struct Form: Sendable {
  /// The most bytes, and the most parameters.
  static let limit = 65_536
  private static let most = 64

  private let fields: [String: String]

  /// - Throws: `invalid_request` when the text is no form, or names a parameter twice (RFC 6749, 3.2).
  init(_ text: some StringProtocol) throws(OAuthFailure) {
    guard text.utf8.count <= Self.limit else { throw .badRequest("The request is too large.") }
    var fields: [String: String] = [:]
    for pair in FormPairs.split(text) {
      guard let name = PercentEncoding.decodedForm(pair.name),
        let value = PercentEncoding.decodedForm(pair.value ?? "")
      else {
        throw .badRequest("The request has a parameter that is not percent-encoded UTF-8.")
      }
      guard fields.updateValue(value, forKey: name) == nil else {
        throw .badRequest("The request has a parameter twice.")
      }
      guard fields.count <= Self.most else { throw .badRequest("The request has too many parameters.") }
    }
    self.fields = fields
  }

  /// The form in the body of a request.
  init(bodyOf request: ServerRequest) throws(OAuthFailure) {
    let type = request.header("Content-Type")?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw OAuthFailure(
        "invalid_request", 900_144, "The Content-Type of the request has to be application/x-www-form-urlencoded.")
    }
    guard let text = String(validating: request.body, as: UTF8.self) else {
      throw .badRequest("The request is not UTF-8.")
    }
    try self.init(text)
  }

  /// A parameter; empty ones count as absent (RFC 6749, 3.2).
  subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A parameter that has to be there.
  ///
  /// - Parameter limit: its most bytes.
  func required(_ name: String, limit: Int = 256) throws(OAuthFailure) -> String {
    guard let value = self[name] else {
      throw OAuthFailure(
        "invalid_request", 900_144, "The request body must contain the following parameter: '\(name)'.")
    }
    guard value.utf8.count <= limit else {
      throw OAuthFailure("invalid_request", 90_100, "The \(name) parameter is too long.")
    }
    return value
  }
}
