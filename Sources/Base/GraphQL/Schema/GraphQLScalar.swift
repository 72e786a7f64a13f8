package import JSON

/// What the values of a custom scalar are.
package struct GraphQLScalar: Sendable {
  /// The value for resolvers, of one in a document or in variables.
  package let input: @Sendable (JSONValue) throws(GraphQLError) -> JSONValue
  /// The value for the response, of a resolver's.
  package let output: @Sendable (JSONValue) throws(GraphQLError) -> JSONValue

  /// - Parameters:
  ///   - input: throws what is wrong with a value, as a sentence. Values of a document come as JSON: a name without
  ///     quotes as a string, integers beyond 64 bits as doubles.
  ///   - output: throws what is wrong with a resolver's value.
  package init(
    input: @escaping @Sendable (JSONValue) throws(GraphQLError) -> JSONValue,
    output: @escaping @Sendable (JSONValue) throws(GraphQLError) -> JSONValue
  ) {
    self.input = input
    self.output = output
  }

  /// A scalar that accepts every value unchanged.
  package static let any = GraphQLScalar(
    input: { value throws(GraphQLError) in value }, output: { value throws(GraphQLError) in value })

  /// The five scalars that every schema has.
  static let builtIn: [String: GraphQLScalar] = [
    "Int": GraphQLScalar(input: integer, output: integer), "Float": GraphQLScalar(input: float, output: float),
    "String": GraphQLScalar(input: string, output: string), "Boolean": GraphQLScalar(input: boolean, output: boolean),
    "ID": GraphQLScalar(input: identifier, output: identifier),
  ]

  @Sendable private static func integer(_ value: JSONValue) throws(GraphQLError) -> JSONValue {
    switch value {
    case .integer, .unsigned, .double:
      guard let number = value.integerValue, let exact = Int32(exactly: number) else {
        throw GraphQLError("An Int is a whole number from \(Int32.min) to \(Int32.max), not \(value.shown).")
      }
      return .integer(Int64(exact))
    default: throw GraphQLError("An Int is a whole number, not \(value.shown).")
    }
  }

  @Sendable private static func float(_ value: JSONValue) throws(GraphQLError) -> JSONValue {
    guard let number = value.doubleValue else { throw GraphQLError("A Float is a number, not \(value.shown).") }
    guard number.isFinite else { throw GraphQLError("A Float is finite.") }
    return value
  }

  @Sendable private static func string(_ value: JSONValue) throws(GraphQLError) -> JSONValue {
    guard case .string = value else { throw GraphQLError("A String is a string, not \(value.shown).") }
    return value
  }

  @Sendable private static func boolean(_ value: JSONValue) throws(GraphQLError) -> JSONValue {
    guard case .bool = value else { throw GraphQLError("A Boolean is true or false, not \(value.shown).") }
    return value
  }

  @Sendable private static func identifier(_ value: JSONValue) throws(GraphQLError) -> JSONValue {
    switch value {
    case .string: return value
    case .integer(let number): return .string(String(number))
    case .unsigned(let number): return .string(String(number))
    default: throw GraphQLError("An ID is a string or a whole number, not \(value.shown).")
    }
  }
}

extension JSONValue {
  /// For messages: short values themselves, of others what they are.
  var shown: String {
    switch self {
    case .string(let text): text.quoted
    case .array: "a list"
    case .object: "an object"
    default: description.shownInError
    }
  }
}
