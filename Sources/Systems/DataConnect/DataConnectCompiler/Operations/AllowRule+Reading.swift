import GraphQL

extension AllowRule {
  init(_ directive: DirectiveNode) {
    var count: Int?
    if case .integer(let text) = directive.arguments["maxCount"]?.kind { count = Int(text) }
    self.init(fields: directive.text("fields").flatMap(AllowedField.read), maxCount: count)
  }
}

extension AllowedField {
  /// Parses names separated by spaces or commas, with those of nested rows in braces: `title reviews { stars }`.
  ///
  /// - Returns: the fields; `nil` for a text of another form.
  static func read(_ text: String) -> [AllowedField]? {
    guard text.utf8.count <= 10_000 else { return nil }
    var levels: [[AllowedField]] = [[]]
    var names: [String] = []
    var word = ""
    func end() -> AllowedField? { word.isEmpty ? nil : AllowedField(name: word, fields: []) }
    // By scalars: with an escape, CR and LF are one character.
    for letter in (text + " ").unicodeScalars {
      switch letter {
      case "{", "}", " ", "\n", "\t", "\r", ",":
        if let field = end() {
          guard word.isGraphQLName else { return nil }
          levels[levels.count - 1].append(field)
          word = ""
        }
        if letter == "{" {
          guard levels.count < 16, let owner = levels[levels.count - 1].popLast(), owner.fields.isEmpty else {
            return nil
          }
          names.append(owner.name)
          levels.append([])
        } else if letter == "}" {
          guard levels.count > 1, let inner = levels.popLast(), let name = names.popLast(), !inner.isEmpty else {
            return nil
          }
          levels[levels.count - 1].append(AllowedField(name: name, fields: inner))
        }
      default: word.unicodeScalars.append(letter)
      }
    }
    return levels.count == 1 ? levels[0] : nil
  }
}
