import GraphQL

/// Builds tables from the developer's types and reports every error.
///
/// It ignores what GraphQL itself forbids (unknown types and directives, duplicate names, arguments of wrong types):
/// the validation of GraphQL reports that.
struct SchemaBuilder {
  /// A field that leads to a table, before its foreign key is known.
  struct PendingReference {
    let field: FieldDefinitionNode
    let target: String
    let fields: [NameNode]?
    let references: [NameNode]?
    let constraintName: String?
    let isUnique: Bool
  }

  /// A table under construction.
  struct Draft {
    var table: Table
    let node: TypeDefinitionNode
    /// The columns that `@table(key:)` names.
    let keyNames: [NameNode]?
    var pending: [PendingReference] = []
    /// The fields in their order, references included.
    var order: [String] = []
    var keyState = KeyState.unknown
  }

  enum KeyState { case unknown, resolving, known }

  static let code = "Schema"

  let document: DocumentNode
  var problems: ProblemList
  var drafts: [String: Draft] = [:]
  /// The names of the tables and views, sorted.
  var names: [String] = []
  var enumerations: [String: DataEnumeration] = [:]
  /// The names of the tables by those that they refer to.
  var referringTables: [String: [String]] = [:]

  init(_ document: DocumentNode) {
    self.document = document
    problems = ProblemList(document.sources)
  }

  /// Builds all tables step by step. Every step handles all tables, so that all problems are reported at once.
  mutating func build() {
    collectTypes()
    for name in names { readFields(of: name) }
    for name in names { resolveKey(of: name) }
    for name in names { resolveReferences(of: name) }
    for name in names { checkKey(of: name) }
    for name in names { readConstraints(of: name) }
    for name in names { noteUniqueReferences(of: name) }
    noteReferringTables()
    for name in names { addRelations(to: name) }
    checkNames()
  }

  var tables: [Table] { names.compactMap { drafts[$0]?.table } }

  mutating func add(_ message: String, fix: String? = nil, at position: SourcePosition) {
    problems.add(message, fix: fix, code: Self.code, at: position)
  }
}

extension DirectiveNode {
  /// An argument that is a text.
  func text(_ name: String) -> String? {
    if case .string(let text, _) = arguments[name]?.kind { text } else { nil }
  }

  /// An argument that is a list of texts, or one text, which is a list of one.
  func names(_ name: String) -> [NameNode]? {
    guard let value = arguments[name] else { return nil }
    switch value.kind {
    case .string: return [value.textNode].compactMap(\.self)
    case .list(let values): return values.compactMap(\.textNode)
    default: return nil
    }
  }

  /// Arguments that are names without quotes: values of enumerations.
  func words(_ name: String) -> [String]? {
    guard let value = arguments[name] else { return nil }
    let values = if case .list(let values) = value.kind { values } else { [value] }
    return values.compactMap { if case .enumeration(let word) = $0.kind { word } else { nil } }
  }

  func position(of argument: String) -> SourcePosition { arguments[argument]?.position ?? position }
}

extension ValueNode {
  /// A text as a name with a place.
  var textNode: NameNode? {
    if case .string(let text, _) = kind { NameNode(text: text, position: position) } else { nil }
  }
}
