package import JSON

/// What resolves the fields of one object: the source of its fields' values.
package protocol GraphQLObject: Sendable {
  /// The name of the object's type, needed where a field's type is an interface or a union; otherwise it may be `nil`.
  var typeName: String? { get }

  /// The value of a field.
  ///
  /// - Throws: a ``GraphQLError`` is reported with its code and extensions, any other error with its description; the
  ///   path and the locations are added.
  func resolve(_ field: GraphQLField) async throws -> GraphQLResult
}

extension GraphQLObject {
  /// `nil`: the object is of the type that the field declares.
  package var typeName: String? { nil }
}

/// The result of resolving one field.
package enum GraphQLResult: Sendable {
  case null
  /// A scalar or an enumeration value, or JSON whose object members are named after fields. An object for an interface
  /// or a union names its type in the member `__typename`.
  case value(JSONValue)
  /// JSON that was made for the selection: objects have members by the names of the response, aliases too.
  case selected(JSONValue)
  case object(any GraphQLObject)
  case list([GraphQLResult])
  /// An element of a list that failed, or a field.
  case failure(GraphQLError)
}

/// An object that resolves its fields with a closure.
package struct GraphQLClosure: GraphQLObject {
  /// The name of the object's type; `nil` when the field declares it.
  package let typeName: String?
  private let body: @Sendable (GraphQLField) async throws -> GraphQLResult

  /// Creates an object whose fields `body` resolves. `body` is called once for each selected field.
  package init(
    typeName: String? = nil, _ body: @escaping @Sendable (GraphQLField) async throws -> GraphQLResult
  ) {
    self.typeName = typeName
    self.body = body
  }

  /// Resolves a field by calling the closure.
  package func resolve(_ field: GraphQLField) async throws -> GraphQLResult { try await body(field) }
}

/// An object of JSON.
struct JSONSource: GraphQLObject {
  let members: JSONObject
  /// Whether members have the names of the response, and not of the fields.
  let isSelected: Bool

  var typeName: String? { members["__typename"]?.stringValue }

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    let value = members[isSelected ? field.responseName : field.name] ?? .null
    return isSelected ? .selected(value) : .value(value)
  }
}
