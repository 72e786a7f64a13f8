import DataConnectCompiler
import GraphQL

/// Chooses the names of a generated module's types, so that each differs from the others and from the types that the
/// module uses.
struct TypeNames: Sendable {
  /// The types that generated code uses by their plain names.
  private static let used: Set<String> = [
    "AnyValue", "Array", "Bool", "CacheSettings", "CaseIterable", "Codable", "CodingKey", "CodingKeys",
    "ConnectorConfig",
    "Data", "DataConnect", "DataConnectSettings", "Decodable", "Decoder", "Double", "Encodable", "Encoder", "Equatable",
    "Hashable", "Hasher", "Identifiable", "Int", "Int64", "LocalDate", "MainActor", "MutationData", "MutationRef",
    "OperationName", "OperationResult", "OperationVariable", "Optional", "OptionalVariable", "OrderDirection",
    "QueryFetchPolicy", "QueryRefObservableObject", "QueryRefObservation", "RawRepresentable", "Ref",
    "SearchQueryFormat",
    "Sendable", "String", "Swift", "Timestamp", "UUID", "Variables", "Void",
  ]

  let enumerations: [String: String]
  let keys: [String: String]
  /// The type names, by the names of the operations.
  let operations: [String: String]
  /// The names that no nested type may hide.
  let reserved: Set<String>

  init(_ schema: CompiledSchema, connector: String, operations: [CompiledOperation]) {
    var scope = NameScope(Self.used.union(["\(connector)Connector"]))
    var taken = Self.used
    func take(_ name: String) -> String {
      let given = SwiftName.isKeyword(name) ? scope.take("\(name)2") : scope.take(name)
      taken.insert(given)
      return given
    }
    enumerations = Dictionary(schema.enumerations.map { ($0.name, take(SwiftName.upperFirst($0.name))) }) { first, _ in
      first
    }
    keys = Dictionary(
      schema.tables.filter { !$0.key.isEmpty }.map { ($0.name, take("\(SwiftName.upperFirst($0.name))Key")) }
    ) { first, _ in
      first
    }
    var classes: [String: String] = [:]
    for operation in operations {
      let suffix = operation.kind == .mutation ? "Mutation" : "Query"
      classes[operation.name] = take(SwiftName.upperFirst(operation.name) + suffix)
    }
    self.operations = classes
    reserved = taken
  }

  /// The Swift type of a scalar, an enumeration, a key, or of an input of any other kind.
  func base(_ name: String) -> String {
    switch name {
    case "String", "ID": return "String"
    case "Int", "Int64", "UUID", "Timestamp": return name
    case "Float": return "Double"
    case "Boolean": return "Bool"
    case "Date": return "LocalDate"
    case "Vector": return "[Double]"
    case "OrderDirection": return name
    case "Search_QueryFormat": return "SearchQueryFormat"
    default: break
    }
    if let enumeration = enumerations[name] { return enumeration }
    for suffix in ["_KeyOutput", "_Key"] where name.hasSuffix(suffix) {
      if let key = keys[String(name.dropLast(suffix.count))] { return key }
    }
    return "AnyValue"
  }

  /// A type with its lists, and whether it may be missing. Elements of lists are never missing, as upstream has it.
  func type(_ node: TypeNode, of base: String) -> (text: String, isOptional: Bool) {
    switch node {
    case .named: (base, true)
    case .list(let element, _): ("[\(type(element, of: base).text)]", true)
    case .nonNull(let inner): (type(inner, of: base).text, false)
    }
  }

  /// The type of a column.
  func type(_ column: ColumnType) -> String {
    let name = base(column.base.name)
    return column.isList ? "[\(name)]" : name
  }
}
