package import GraphQL
import JSON

/// What went wrong with a field of an operation.
package struct OperationError: Error, Sendable, Hashable {
  package var message: String
  /// Names of the response and positions in lists.
  package var path: [GraphQLError.PathElement]
  package var code: FailureCode
  /// The database's words, for administrators.
  package var details: String?
  /// Whether a `@check` failed, after which nothing more is done.
  var isCheck = false
  /// Whether the connection to the database ended, or was closed, with it.
  var isConnectionLost = false
  /// Whether nothing was done for certain, as the connection had ended before.
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
