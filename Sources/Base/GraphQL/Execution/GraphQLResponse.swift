package import JSON

/// The result of an execution (GraphQL specification, 7.1).
package struct GraphQLResponse: Sendable, Hashable {
  /// The value of the operation, with members in the order of the request. `nil` when the request was invalid; `.null`
  /// when a field failed that must not be null.
  package var data: JSONObject??
  package var errors: [GraphQLError]
  package var extensions: JSONObject

  package init(data: JSONObject??, errors: [GraphQLError] = [], extensions: JSONObject = [:]) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
  }

  /// As it crosses the wire: `errors` where there are any, `data` where it was executed, `extensions` where there are any.
  package var json: JSONValue {
    var object = JSONObject()
    if !errors.isEmpty { object["errors"] = .array(errors.map(\.json)) }
    if let data { object["data"] = data.map(JSONValue.object) ?? .null }
    if !extensions.isEmpty { object["extensions"] = .object(extensions) }
    return .object(object)
  }
}
