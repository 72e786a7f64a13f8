import DataConnectCompiler
import GraphQL

/// A schema with operations, made at random: the same for the same seed. Types refer to themselves and to each other, and
/// names are often those that generated code or Swift uses.
struct RandomService {
  private var random: Dice
  private(set) var schema = ""
  private(set) var operations = ""

  /// Numbers that follow from a seed (SplitMix64).
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private static let types = [
    "Category", "Person", "Movie", "Tag", "Node", "Data", "Optional", "Array", "Hasher", "Variables", "Ref", "Error",
    "CodingKeys", "Equatable", "Bool", "Double", "Void", "Swift", "Sendable", "DataConnect", "Key", "MovieKey",
    "QueryRefObservation", "OperationResult", "Decodable", "Encoder", "Type", "Self", "Protocol", "Identifiable",
    "Movies", "Seed", "Task", "Result", "Foundation", "JSON", "AnyValue", "LocalDate", "Character", "Never",
  ]
  private static let fields = [
    "name", "title", "count", "parent", "child", "next", "left", "right", "hasher", "data", "variables", "default",
    "in",
    "self", "init", "Type", "Category", "Movie", "Person", "String", "Int", "UUID", "Optional", "movieKey", "key",
    "hash",
    "hashValue", "description", "encode", "decoder", "container", "dataConnect", "ref", "execute", "fetchPolicy",
    "optionalVars", "operationName", "CodingKeys", "Data", "Self", "any", "repeat", "id2", "_name", "rawValue",
    "personKey", "categoryKey", "from", "into", "x", "isSet", "PersonKey", "RawValue", "Bool", "Hasher", "value",
    "Variables",
  ]
  private static let scalars = [
    "String", "Int", "Int64", "Float", "Boolean", "UUID", "Date", "Timestamp", "Any", "[String!]", "[Int!]",
  ]

  init(seed: Int) {
    random = Dice(state: UInt64(seed))
    writeSchema()
    let result = SchemaCompiler.compile([GraphQLSource(schema, name: "schema.gql")])
    if let compiled = result.schema { writeOperations(compiled) }
  }

  private mutating func one<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &random) }
  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func some<Element>(_ elements: [Element], _ range: ClosedRange<Int>) -> [Element] {
    Array(elements.shuffled(using: &random).prefix(number(range)))
  }

  // MARK: Schema

  private mutating func writeSchema() {
    let names = some(Self.types, 2...5)
    let enumeration = names.count > 2 ? names.last : nil
    let tables = enumeration == nil ? names : Array(names.dropLast())
    if let enumeration {
      schema += "enum \(enumeration) { \(some(Self.fields, 1...4).joined(separator: " ")) }\n"
    }
    for table in tables {
      let fields = some(Self.fields, 2...7)
      var lines: [String] = []
      var required: [String] = []
      for field in fields {
        switch number(0...9) {
        case 0...4:
          let isRequired = number(0...2) == 0
          lines.append("\(field): \(one(of: Self.scalars) ?? "Int")\(isRequired ? "!" : "")")
        case 5 where enumeration != nil: lines.append("\(field): \(enumeration ?? "")\(number(0...1) == 0 ? "!" : "")")
        default: lines.append("\(field): \(one(of: tables) ?? table)")
        }
        if lines.last?.hasSuffix("String!") == true { required.append(field) }
      }
      let key = required.isEmpty || number(0...1) == 0 ? "" : "(key: [\"\(required.joined(separator: "\", \""))\"])"
      schema += "type \(table) @table\(key) { \(lines.joined(separator: " ")) }\n"
    }
  }

  // MARK: Operations

  private mutating func writeOperations(_ compiled: CompiledSchema) {
    var fragments = ""
    for index in 0..<number(1...4) {
      let name = "\(one(of: Self.fields) ?? "a")\(index)"
      let isQuery = index != 1
      var (variables, body): ([String], [String]) = ([], [])
      for table in some(compiled.tables, 1...2) {
        let columns = table.columns.filter { !$0.type.isList && $0.type.base.name == "String" }
        var filter: [String] = []
        for column in some(columns, 0...2) {
          let variable = "\(one(of: Self.fields) ?? "v")\(number(0...1) == 0 ? "" : "\(variables.count)")"
          if variables.contains(where: { $0.hasPrefix("$\(variable):") }) { continue }
          variables.append("$\(variable): String\(number(0...1) == 0 ? "!" : "")")
          filter.append("{\(column.name): {eq: $\(variable)}}")
        }
        let clause = filter.isEmpty ? "" : "(where: {_or: [\(filter.joined(separator: ", "))]})"
        if isQuery {
          let alias = number(0...2) == 0 ? "\(one(of: Self.fields) ?? "a"): " : ""
          var selection = select(table.name, compiled, depth: 4)
          if number(0...3) == 0 {
            fragments +=
              "fragment F\(index)\(table.name) on \(table.name) { \(select(table.name, compiled, depth: 2)) }\n"
            selection += " ...F\(index)\(table.name)"
          }
          body.append("\(alias)\(table.plural)\(clause) { \(selection) }")
        } else {
          let all = filter.isEmpty ? "(all: true)" : clause
          body.append("\(table.singular)_deleteMany\(all)")
        }
      }
      let list = variables.isEmpty ? "" : "(\(variables.joined(separator: ", ")))"
      operations +=
        "\(isQuery ? "query" : "mutation") \(name)\(list) @auth(level: USER) { \(body.joined(separator: " ")) }\n"
    }
    operations += fragments
  }

  /// Fields of a type, some of them under other names, and below them the fields of theirs.
  private mutating func select(_ type: String, _ compiled: CompiledSchema, depth: Int) -> String {
    guard let definition = compiled.graphQL.type(type) else { return "__typename" }
    let usable = definition.fields.filter { field in
      field.arguments.allSatisfy { !$0.type.isNonNull || $0.defaultValue != nil } && !field.name.text.hasPrefix("_")
        && !["_count", "_sum", "_avg", "_min", "_max"].contains { field.name.text.hasSuffix($0) }
    }
    var parts: [String] = []
    // The key is often selected whole.
    if number(0...1) == 0 { parts += compiled.table(type)?.key ?? [] }
    for field in some(usable, 1...5) {
      let name = field.name.text
      let alias = number(0...4) == 0 ? "\(one(of: Self.fields) ?? "a"): " : ""
      let condition = number(0...9) == 0 ? " @include(if: true)" : ""
      if compiled.graphQL.type(field.type.name.text)?.isComposite == true {
        if depth == 0 { continue }
        let inside = select(field.type.name.text, compiled, depth: depth - 1)
        parts.append("\(alias)\(name)\(condition) { \(inside) }")
      } else {
        parts.append("\(alias)\(name)\(condition)")
      }
    }
    return parts.isEmpty ? "__typename" : parts.joined(separator: " ")
  }
}
