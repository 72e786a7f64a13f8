import GraphQL
import JSON

/// Writes the schema that AEM makes of models.
struct SchemaText {
  let plan: SchemaPlan
  private var text = ""

  static func text(of plan: SchemaPlan) -> String {
    var writer = SchemaText(plan: plan)
    writer.text = "schema {\n  query: QueryType\n}\n"
    writer.roots()
    for entry in plan.entries { writer.model(entry) }
    writer.text += fixed
    writer.text += "\nunion AllFragmentModels = \(plan.entries.map(\.typeName).joined(separator: " | "))\n"
    let references = AssetKind.allCases.map(\.typeName) + plan.entries.map(\.typeName)
    writer.text += "\nunion Reference = \(references.joined(separator: " | "))\n"
    return writer.text
  }

  private init(plan: SchemaPlan) { self.plan = plan }

  // MARK: Roots

  private mutating func roots() {
    let common = "variation: String, _assetTransform: AssetTransform"
    text += "\ntype QueryType {\n"
    for entry in plan.entries {
      let (name, type) = (entry.queryName, entry.typeName)
      let list = "_locale: String, \(common), filter: \(type)Filter, includeVariations: Boolean, sort: String"
      text += """
          "One fragment of the model `\(name)`, by its path"
          \(name)ByPath(_path: String!, \(common)): \(type)Result!
          "One fragment of the model `\(name)`, by its identifier"
          \(name)ById(_id: String!, \(common)): \(type)Result!
          "The fragments of the model `\(name)`"
          \(name)List(\(list), offset: Int, limit: Int): \(type)Results!
          "The fragments of the model `\(name)`, page by page"
          \(name)Paginated(\(list), first: Int, after: String): \(type)Connection!

        """
    }
    text += "}\n"
  }

  // MARK: Models

  private mutating func model(_ entry: SchemaPlan.Entry) {
    let type = entry.typeName
    text += "\n\(Self.description(entry.model.words ?? entry.model.title))type \(type) {\n"
    for (name, type) in Self.helpers { text += "  \(name): \(type)\n" }
    for field in entry.model.fields {
      text += "  \(field.name): \(self.type(of: field))\n"
    }
    text += "}\n"
    results(type)
    filter(entry)
  }

  /// What the root fields give.
  private mutating func results(_ type: String) {
    text += """

      type \(type)Result {
        item: \(type)
        _references: [Reference]
      }

      type \(type)Results {
        items: [\(type)]!
        _references: [Reference]
      }

      type \(type)Connection {
        edges: [\(type)Edge]!
        pageInfo: PageInfo!
        _references: [Reference]
      }

      type \(type)Edge {
        cursor: String!
        node: \(type)!
      }

      """
  }

  private mutating func filter(_ entry: SchemaPlan.Entry) {
    let type = entry.typeName
    text += """

      input \(type)Filter {
        _logOp: LogOp
        _id: IDFilter
        _path: IDFilter
        _locale: StringFilter
        _variation: StringFilter
        _variations: StringArrayFilter
        _tags: StringArrayFilter

      """
    for field in entry.model.fields {
      if let filter = filter(of: field) { text += "  \(field.name): \(filter)\n" }
    }
    text += """
      }

      input \(type)ArrayFilter {
        _apply: ArrayMode
        _instances: Int
        _match: \(type)Filter
      }

      """
  }

  /// The fields that every fragment has.
  private static let helpers: [(String, String)] = [
    ("_id", "ID"), ("_path", "ID"), ("_locale", "String"), ("_variation", "String"), ("_variations", "[String]"),
    ("_tags", "[String]"), ("_model", "ModelInfo"), ("_metadata", "TypedMetaData"), ("_references", "[Reference]"),
  ]

  private func type(of field: ContentField) -> String {
    let name =
      switch field.type {
      case .multiLine: "MultiFormatString"
      case .content(let accepts): accepts.count == 1 ? accepts[0].typeName : "Reference"
      case .fragment(let keys): keys.count == 1 ? plan.entry(of: keys[0])?.typeName ?? "" : "AllFragmentModels"
      case .json: "Json"
      default: field.type.scalarName ?? "String"
      }
    return field.isMultiple ? "[\(name)]" : name
  }

  /// The input type of a field's filter; `nil` for what cannot be filtered.
  private func filter(of field: ContentField) -> String? {
    let array = field.isMultiple ? "Array" : ""
    switch field.type {
    case .multiLine: return "MultiFormatString\(array)Filter"
    case .content, .json: return nil
    case .fragment(let keys):
      guard keys.count == 1, let entry = plan.entry(of: keys[0]) else { return nil }
      return "\(entry.typeName)\(array)Filter"
    default: return field.type.scalarName.map { "\($0)\(array)Filter" }
    }
  }

  /// Returns a description as a block string, with the delimiter escaped.
  private static func description(_ words: String) -> String {
    let shown = words.shownInProblem.filter { $0 != "\"" && $0 != "\\" }
    return shown.isEmpty ? "" : "\"\(shown)\"\n"
  }
}

extension FieldType {
  /// The scalar of its values in a schema; `nil` for what is no scalar, or one of no form.
  var scalarName: String? {
    switch self {
    case .text, .enumeration, .tags: "String"
    case .float: "Float"
    case .integer: "Int"
    case .long: "Long"
    case .boolean: "Boolean"
    case .date: "Date"
    case .time: "Time"
    case .dateTime: "Calendar"
    case .multiLine, .content, .fragment, .json: nil
    }
  }
}

/// The scalars of AEM that GraphQL does not have.
enum ContentScalars {
  static let all: [String: GraphQLScalar] = [
    "Calendar": moment(.dateTime, "A Calendar is a date and a time such as \"2026-05-31T18:30:00.000Z\""),
    "Date": moment(.date, "A Date is a text such as \"2026-05-31\""),
    "Time": moment(.time, "A Time is a text such as \"18:30:00\""), "Long": long, "Json": .any,
  ]

  private static func moment(_ form: Moment.Form, _ words: String) -> GraphQLScalar {
    GraphQLScalar(
      input: { value throws(GraphQLError) in
        if let text = value.stringValue, Moment(text, form) != nil { return value }
        throw GraphQLError("\(words), not \(value.description.shownInProblem).")
      }, output: { value throws(GraphQLError) in value })
  }

  private static let long = GraphQLScalar(
    input: { value throws(GraphQLError) in
      if let number = value.integerValue { return .integer(number) }
      throw GraphQLError("A Long is a whole number of 64 bits, not \(value.description.shownInProblem).")
    }, output: { value throws(GraphQLError) in value })
}
