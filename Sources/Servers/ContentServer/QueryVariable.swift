internal import JSONRPC

/// A variable that a persisted query declares.
struct QueryVariable: Sendable {
  enum Kind: Sendable {
    case int
    case string
    /// `AssetTransformFormat`
    case format

    var graphQLName: String {
      switch self {
      case .int: "Int"
      case .string: "String"
      case .format: "AssetTransformFormat"
      }
    }
  }

  static let formats = ["GIF", "PNG", "PNG8", "JPG", "PJPG", "BJPG", "WEBP", "WEBPLL", "WEBPLY"]

  let name: String
  let kind: Kind
  let isRequired: Bool
  let defaultValue: JSONValue

  init(_ name: String, _ kind: Kind, isRequired: Bool = false, defaultValue: JSONValue = .null) {
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
    self.defaultValue = defaultValue
  }

  /// The value by the declared type. In a path all values are text, and "null" is null; in a body they have types.
  func coerce(_ given: JSONValue?, isText: Bool) throws(QueryError) -> JSONValue {
    guard let given else {
      if isRequired { throw missing }
      return defaultValue
    }
    if given.isNull || (isText && kind != .string && given == "null") {
      if isRequired { throw missing }
      return .null
    }
    switch kind {
    case .int:
      let number = isText ? given.stringValue.flatMap { Int32($0) } : given.integerValue.flatMap { Int32(exactly: $0) }
      guard let number else { throw invalid(given) }
      return .integer(Int64(number))
    case .string:
      guard given.stringValue != nil else { throw invalid(given) }
      return given
    case .format:
      guard let name = given.stringValue, Self.formats.contains(name) else { throw invalid(given) }
      return given
    }
  }

  private var missing: QueryError {
    QueryError(
      "Variable '\(name)' has coerced Null value for NonNull type '\(kind.graphQLName)!'",
      classification: "ValidationError")
  }

  private func invalid(_ value: JSONValue) -> QueryError {
    QueryError(
      "Variable '\(name)' has an invalid value: \(JSONCoding.text(of: value)) is not of type '\(kind.graphQLName)'",
      classification: "ValidationError")
  }
}

/// An error in the shape of graphql-java, which AEM sends in a response of status 200.
struct QueryError: Error {
  let message: String
  let classification: String

  init(_ message: String, classification: String = "DataFetchingException") {
    self.message = message
    self.classification = classification
  }

  var value: JSONValue {
    ["message": .string(message), "locations": [], "extensions": ["classification": .string(classification)]]
  }
}
