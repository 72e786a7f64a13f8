package import JSON

/// What an execution came to.
package struct GraphQLResponse: Sendable, Hashable {
  /// The value of the operation, its members in the order in which they were asked for; `nil` when there is none,
  /// because the request was wrong. `.null` when a field failed that cannot be null.
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
