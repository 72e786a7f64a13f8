package import GraphQL
import JSON

/// An error in one field of an operation.
package struct OperationError: Error, Sendable, Hashable {
  /// One sentence that the client may see.
  package var message: String
  /// The path of the field: response names and list positions.
  package var path: [GraphQLError.PathElement]
  /// The code in the error's `extensions`.
  package var code: FailureCode
  /// PostgreSQL's own message, sent to administrators only.
  package var details: String?
  /// Whether a `@check` failed; the operation then stops.
  var isCheck = false
  /// Whether the connection to the database was lost or closed with this error.
  var isConnectionLost = false
  /// Whether the statement certainly had no effect, because the connection had been lost before it was sent.
  var isUnsent = false

  init(_ code: FailureCode, _ message: String, path: [GraphQLError.PathElement] = [], details: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.details = details
  }

  var json: JSONValue {
    var extensions: JSONObject = ["code": .string(code.rawValue)]
    if let details { extensions["debugDetails"] = .string(details) }
    var object: JSONObject = ["message": .string(message)]
    if !path.isEmpty { object["path"] = .array(path.map(\.json)) }
    object["extensions"] = .object(extensions)
    return .object(object)
  }
}
