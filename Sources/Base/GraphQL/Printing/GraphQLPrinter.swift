/// Writes documents in the form that most tools write: two spaces, one selection on each line, no line at the end.
///
/// What it writes reads back as the same tree.
package struct GraphQLPrinter {
  var text = ""
  /// How many levels the next line is indented.
  var level = 0
  /// Whether each operation begins with its kind.
  var writesKeyword = false

  /// The text of a document.
  package static func text(of document: DocumentNode) -> String {
    var printer = GraphQLPrinter()
    for (index, definition) in document.definitions.enumerated() {
      if index > 0 { printer.text += "\n\n" }
      // Behind a type without fields an operation that begins with a brace would be these fields.
      printer.writesKeyword = index > 0 && !document.definitions[index - 1].isExecutable
      printer.definition(definition)
    }
    return printer.text
  }

  /// The text of one definition.
  package static func text(of definition: DefinitionNode) -> String {
    var printer = GraphQLPrinter()
    printer.definition(definition)
    return printer.text
  }

  /// The text of a value, on one line unless it has block strings.
  package static func text(of value: ValueNode) -> String {
    var printer = GraphQLPrinter()
    printer.value(value)
    return printer.text
  }

  /// The text of a type: `[Int!]!`.
  package static func text(of type: TypeNode) -> String {
    switch type {
    case .named(let name): name.text
    case .list(let inner, _): "[\(text(of: inner))]"
    case .nonNull(let inner): "\(text(of: inner))!"
    }
  }

  private mutating func definition(_ definition: DefinitionNode) {
    switch definition {
    case .operation(let node): operation(node)
    case .fragment(let node): fragment(node)
    case .schema(let node): schema(node)
    case .type(let node): type(node)
    case .directive(let node): directiveDefinition(node)
    }
  }

  mutating func newLine() {
    text += "\n"
    for _ in 0..<level { text += "  " }
  }

  /// Items between braces, one on each line; nothing when there are none.
  mutating func block<Item>(_ items: [Item], _ write: (inout Self, Item) -> Void) {
    if items.isEmpty { return }
    text += "{"
    level += 1
    for item in items {
      newLine()
      write(&self, item)
    }
    level -= 1
    newLine()
    text += "}"
  }

  mutating func list<Item>(_ items: [Item], _ separator: String = ", ", _ write: (inout Self, Item) -> Void) {
    for (index, item) in items.enumerated() {
      if index > 0 { text += separator }
      write(&self, item)
    }
  }

  /// What would be written, at the same indentation.
  func trial(_ write: (inout Self) -> Void) -> String {
    var printer = GraphQLPrinter()
    printer.level = level
    write(&printer)
    return printer.text
  }
}
