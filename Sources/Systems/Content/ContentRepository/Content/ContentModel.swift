import Pattern

/// A content fragment model: which fields its fragments have.
final class ContentModel: Sendable {
  let configuration: String
  /// The name of its file.
  let name: String
  let title: String
  let words: String?
  /// The beginning of the names of queries: `adventure`.
  let queryName: String
  let fields: [ContentField]
  let file: SourceFile
  private let positions: [String: Int]

  init(
    configuration: String, name: String, title: String, words: String?, queryName: String, fields: [ContentField],
    file: SourceFile
  ) {
    self.configuration = configuration
    self.name = name
    self.title = title
    self.words = words
    self.queryName = queryName
    self.fields = fields
    self.file = file
    positions = Dictionary(fields.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The identifier among all models: `wknd-shared/adventure`.
  var key: String { "\(configuration)/\(name)" }

  /// The path as AEM has it.
  var path: String { "/conf/\(configuration)/settings/dam/cfm/models/\(name)" }

  /// The position of a field in ``fields``.
  func position(of field: String) -> Int? { positions[field] }
}

/// A field of a model.
struct ContentField: Sendable {
  let name: String
  let title: String?
  let type: FieldType
  let isMultiple: Bool
  let isRequired: Bool
  let isUnique: Bool
  let pattern: RegularPattern?
  /// What fragments have that do not say anything of the field.
  let defaultValue: FieldValue
}

/// The type of a field's values.
enum FieldType: Sendable, Hashable {
  case text
  case multiLine(TextFormat)
  case float
  case integer
  case long
  case boolean
  case date
  case time
  case dateTime
  case enumeration([String])
  case tags
  /// A path to an asset or page. With one kind only, the field's type is that kind's.
  case content(accepts: [AssetKind])
  /// A path to a fragment of one of these models, by their keys.
  case fragment(models: [String])
  case json
}

/// The source format of a multi-line text.
enum TextFormat: String, Sendable, CaseIterable {
  case html, markdown, plaintext, json
}
