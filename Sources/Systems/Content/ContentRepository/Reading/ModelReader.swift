import Pattern
import Text

/// Reads a model's file.
struct ModelReader {
  let file: SourceFile
  let configuration: String
  let name: String

  private static let members = ["title", "description", "queryName", "fields"]
  private static let fieldMembers = [
    "name", "title", "description", "type", "multiple", "required", "unique", "default", "pattern", "values", "models",
    "accepts", "format",
  ]
  private static let types: [String: FieldType] = [
    "text": .text, "multiLine": .multiLine(.html), "float": .float, "integer": .integer, "long": .long,
    "boolean": .boolean, "date": .date, "time": .time, "dateTime": .dateTime, "enumeration": .enumeration([]),
    "tags": .tags, "content": .content(accepts: []), "fragment": .fragment(models: []), "json": .json,
  ]

  /// - Returns: `nil` when there is nothing of use in the file.
  func model(_ problems: inout ContentProblemList) -> ContentModel? {
    guard file.root.members != nil else {
      fault(file.root, "A model is an object, not \(file.root.words).", "Begin it with {.", &problems)
      return nil
    }
    unknown(file.root, Self.members, "a model", &problems)
    let title = text("title", of: file.root, &problems)
    let queryName = text("queryName", of: file.root, &problems) ?? Self.queryName(name)
    guard Self.isName(queryName) else {
      fault(
        file.root["queryName"] ?? file.root, "\(queryName.quotedInProblem) is not a name for queries.",
        "Give the model a queryName of letters and digits, such as \"adventure\".", &problems)
      return nil
    }
    guard let elements = file.root["fields"]?.elements, !elements.isEmpty else {
      fault(
        file.root["fields"] ?? file.root, "The model has no fields.",
        "Give it a member \"fields\" with an array of objects.", &problems)
      return nil
    }
    var fields: [ContentField] = []
    for element in elements.prefix(1_000) {
      guard let field = field(element, &problems) else { continue }
      if fields.contains(where: { $0.name == field.name }) {
        fault(element, "There are two fields \(field.name.quotedInProblem).", "Rename one of them.", &problems)
      } else {
        fields.append(field)
      }
    }
    return ContentModel(
      configuration: configuration, name: name, title: title ?? name,
      words: text("description", of: file.root, &problems), queryName: queryName, fields: fields, file: file)
  }

  private func field(_ json: LocatedJSON, _ problems: inout ContentProblemList) -> ContentField? {
    unknown(json, Self.fieldMembers, "a field", &problems)
    guard let name = json["name"]?.string, Self.isName(name), !name.hasPrefix("_") else {
      fault(
        json["name"] ?? json, "A field has a name of letters, digits and _, which does not begin with _.",
        "Give it a member \"name\", such as \"tripLength\".", &problems)
      return nil
    }
    guard let word = json["type"]?.string, let plain = Self.types[word] else {
      let words = Self.types.keys.sorted()
      let hint = json["type"]?.string.flatMap { didYouMean(nearMisses(of: $0, in: words)) }
      fault(
        json["type"] ?? json, "The field \(name.quotedInProblem) has no type that is known.",
        hint ?? "Its type is one of \(words.joined(separator: ", ")).", &problems)
      return nil
    }
    let pattern = text("pattern", of: json, &problems)
    var field = ContentField(
      name: name, title: text("title", of: json, &problems), type: type(plain, json, name, &problems),
      isMultiple: plain == .tags || flag("multiple", of: json, &problems),
      isRequired: flag("required", of: json, &problems), isUnique: flag("unique", of: json, &problems),
      pattern: pattern.flatMap { try? RegularPattern($0, .form) }, defaultValue: .null)
    if pattern != nil, field.pattern == nil {
      fault(
        json["pattern"] ?? json, "The pattern of \(name.quotedInProblem) is not understood.",
        "Use characters, classes, groups, | and * + ? {m,n} of regular expressions.", &problems)
    }
    if let given = json["default"] {
      var reader = FieldReader(file: file) { _, _, _ in nil }
      let value = reader.value(given, of: field, at: 0, &problems)
      field = ContentField(
        name: name, title: field.title, type: field.type, isMultiple: field.isMultiple, isRequired: field.isRequired,
        isUnique: field.isUnique, pattern: field.pattern, defaultValue: value)
    }
    return field
  }

  private func type(
    _ plain: FieldType, _ json: LocatedJSON, _ name: String, _ problems: inout ContentProblemList
  ) -> FieldType {
    switch plain {
    case .multiLine:
      guard let word = text("format", of: json, &problems) else { return plain }
      if let format = TextFormat(rawValue: word) { return .multiLine(format) }
      fault(
        json["format"] ?? json, "The field \(name.quotedInProblem) has no such format.",
        "Write html, markdown, plaintext or json.", &problems)
      return plain
    case .enumeration:
      let values = texts("values", of: json, name, isRequired: true, &problems)
      return .enumeration(values)
    case .content:
      var accepts: [AssetKind] = []
      for word in texts("accepts", of: json, name, isRequired: false, &problems) {
        if let kind = AssetKind(rawValue: word) {
          accepts.append(kind)
        } else {
          fault(
            json["accepts"] ?? json, "The field \(name.quotedInProblem) cannot accept \(word.quotedInProblem).",
            "Write image, multimedia, document, archive or page.", &problems)
        }
      }
      return .content(accepts: accepts)
    case .fragment:
      let models = texts("models", of: json, name, isRequired: true, &problems)
      return .fragment(models: models.map { $0.contains("/") ? $0 : "\(configuration)/\($0)" })
    default: return plain
    }
  }

  // MARK: Members

  private func texts(
    _ member: String, of json: LocatedJSON, _ field: String, isRequired: Bool, _ problems: inout ContentProblemList
  ) -> [String] {
    guard let value = json[member] else {
      if isRequired {
        fault(
          json, "The field \(field.quotedInProblem) does not say its \(member).",
          "Give it a member \"\(member)\" with an array of texts.", &problems)
      }
      return []
    }
    let texts = value.elements?.compactMap(\.string) ?? []
    if texts.isEmpty || texts.count != value.elements?.count {
      fault(
        value, "\"\(member)\" is an array of texts, not \(value.words).", "Write texts between [ and ].", &problems)
    }
    return texts
  }

  private func text(_ member: String, of json: LocatedJSON, _ problems: inout ContentProblemList) -> String? {
    guard let value = json[member], !value.isNull else { return nil }
    if value.string == nil {
      fault(value, "\"\(member)\" is a text, not \(value.words).", "Write it between quotation marks.", &problems)
    }
    return value.string
  }

  private func flag(_ member: String, of json: LocatedJSON, _ problems: inout ContentProblemList) -> Bool {
    guard let value = json[member] else { return false }
    if value.bool == nil {
      fault(value, "\"\(member)\" is true or false, not \(value.words).", "Write true or false.", &problems)
    }
    return value.bool ?? false
  }

  private func unknown(
    _ json: LocatedJSON, _ names: [String], _ what: String, _ problems: inout ContentProblemList
  ) {
    for member in json.members ?? [] where !names.contains(member.name) {
      problems.add(
        file.path, file.place(member.offset), "There is no member \(member.name.quotedInProblem) of \(what).",
        didYouMean(nearMisses(of: member.name, in: names)) ?? "Its members are \(names.joined(separator: ", ")).")
    }
  }

  private func fault(_ json: LocatedJSON, _ message: String, _ fix: String, _ problems: inout ContentProblemList) {
    problems.add(file.path, file.place(json), message, fix)
  }

  // MARK: Names

  /// Whether a text is a name of GraphQL.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(first >= 0x30 && first <= 0x39), text.utf8.count <= 200 else { return false }
    return text.utf8.allSatisfy { byte in
      byte == 0x5F || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A)
    }
  }

  /// What AEM makes of a model's name: `hero-banner` becomes `heroBanner`.
  static func queryName(_ name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.enumerated().map { index, word in
      let first = word.prefix(1)
      return (index == 0 ? first.lowercased() : first.uppercased()) + word.dropFirst()
    }.joined()
  }
}
