public import JSON

/// A schema of JSON values: the part of JSON Schema 2020-12 that the types of methods need.
///
/// A schema that several others share is kept in ``SchemaDefinitions`` under a name; ``reference`` refers to it.
public struct JSONSchema: Sendable, Hashable {
  /// What kind of value a schema allows.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case null, boolean
    /// A number without fraction; `1.0` is one.
    case integer
    case number, string, array, object
  }

  /// A member of objects.
  public struct Member: Sendable, Hashable {
    /// The name of the member.
    public var name: String
    /// What its value may be.
    public var schema: JSONSchema

    /// A member; the parameters are as the properties say.
    public init(_ name: String, _ schema: JSONSchema) {
      self.name = name
      self.schema = schema
    }
  }

  /// What the members may be that ``JSONSchema/members`` does not name.
  public enum Additional: Sendable, Hashable {
    /// Anything: the keyword is left out.
    case anything
    /// No further members are allowed.
    case none
    /// Values of a schema, for objects that are dictionaries.
    indirect case values(JSONSchema)
  }

  /// `description`: what the value is, for people.
  public var summary: String?
  /// `$ref`: the name of a definition.
  public var reference: String?
  /// `type`: the kinds that are allowed; empty allows every kind.
  public var kinds: [Kind] = []
  /// `enum`: the values that are allowed; `const` is one of them.
  public var values: [JSONValue]?
  /// The keyword `properties`, in order.
  public var members: [Member] = []
  /// `required`: the names of members that have to be there.
  public var required: [String] = []
  /// The keyword `additionalProperties`: what the members that ``members`` does not name may be.
  public var additional = Additional.anything
  /// `items`: what the elements of an array may be; empty, or one schema.
  public var items: [JSONSchema] = []
  /// The keyword `minimum`, a number; nil when absent.
  public var minimum: JSONValue?
  /// The keyword `maximum`, a number; nil when absent.
  public var maximum: JSONValue?
  /// `minLength`: of a string, in Unicode scalars.
  public var minLength: Int?
  /// The keyword `maxLength`, in characters; nil when absent.
  public var maxLength: Int?
  /// `minItems`: of an array.
  public var minItems: Int?
  /// The keyword `maxItems`; nil when absent.
  public var maxItems: Int?
  /// The keyword `anyOf`: schemas of which at least one must allow the value; empty when the keyword is absent.
  public var anyOf: [JSONSchema] = []
  /// The keyword `oneOf`: schemas of which exactly one must allow the value; empty when the keyword is absent.
  public var oneOf: [JSONSchema] = []
  /// Whether nothing is allowed: the schema `false`.
  public var isNothing = false

  /// Creates a schema that allows every value.
  public init() {}
}

extension JSONSchema {
  /// A schema that allows every value.
  public static let anything = JSONSchema()

  /// Allows values of some kinds.
  public static func kind(_ kinds: Kind...) -> JSONSchema {
    var schema = JSONSchema()
    schema.kinds = kinds
    return schema
  }

  /// What a definition allows.
  public static func reference(_ name: String) -> JSONSchema {
    var schema = JSONSchema()
    schema.reference = name
    return schema
  }

  /// Returns a schema that allows the given texts (the keyword `enum`).
  public static func words(_ words: [String]) -> JSONSchema {
    var schema = JSONSchema.kind(.string)
    schema.values = words.map { .string($0) }
    return schema
  }

  /// Returns a schema that allows one text.
  public static func constant(_ text: String) -> JSONSchema { words([text]) }

  /// Allows arrays of a kind of elements.
  public static func array(of items: JSONSchema) -> JSONSchema {
    var schema = JSONSchema.kind(.array)
    schema.items = [items]
    return schema
  }

  /// Returns a schema that allows objects with any member names, whose values match `values`.
  public static func dictionary(of values: JSONSchema) -> JSONSchema {
    var schema = JSONSchema.kind(.object)
    schema.additional = .values(values)
    return schema
  }

  /// Allows what one of the schemas allows.
  public static func any(of schemas: [JSONSchema]) -> JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = schemas
    return schema
  }

  /// Allows objects with these members, and others beside them.
  ///
  /// - Parameter required: the names of those that have to be there.
  public static func object(_ members: [Member], required: [String] = []) -> JSONSchema {
    var schema = JSONSchema.kind(.object)
    schema.members = members
    schema.required = required
    return schema
  }

  /// The same schema, and null: a member that may be missing may be null, too.
  public var orNull: JSONSchema {
    if self == .anything || kinds.contains(.null) { return self }
    guard !kinds.isEmpty, values == nil, reference == nil, anyOf.isEmpty, oneOf.isEmpty else {
      return .any(of: [self, .kind(.null)])
    }
    var schema = self
    schema.kinds.append(.null)
    return schema
  }

  /// The same schema with bounds for its numbers, those in arrays and dictionaries included.
  public func bounded(by range: ClosedRange<Int>) -> JSONSchema {
    var schema = self
    if kinds.contains(where: { $0 == .integer || $0 == .number }) {
      schema.minimum = .integer(Int64(range.lowerBound))
      schema.maximum = .integer(Int64(range.upperBound))
    }
    schema.items = items.map { $0.bounded(by: range) }
    if case .values(let values) = additional { schema.additional = .values(values.bounded(by: range)) }
    return schema
  }
}

/// Schemas that others refer to by name: `$defs`.
public struct SchemaDefinitions: Sendable, Hashable {
  /// The schemas by their names.
  public var named: [String: JSONSchema]

  /// Definitions by their names.
  public init(_ named: [String: JSONSchema] = [:]) { self.named = named }

  /// What a name stands for, if anything.
  public subscript(name: String) -> JSONSchema? {
    get { named[name] }
    set { named[name] = newValue }
  }
}
