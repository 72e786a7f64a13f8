import JSON
import Text

/// A content fragment: the values of the fields that its model declares.
final class ContentFragment: Sendable {
  /// The values of its fields in one variation, in the order of the model's fields.
  struct Variation: Sendable {
    let name: String
    let title: String?
    let values: [FieldValue]
  }

  /// A path that a value refers to, and its place in the file.
  struct Link: Sendable {
    let path: String
    let field: Int
    let place: SourcePlace
  }

  let model: ContentModel
  /// The path as AEM has it, without the ending of the file's name.
  let path: String
  /// The identifier, in the form of a UUID.
  let id: String
  /// The locale, from the folder of the path that is named like a language: `en`, `de_ch`.
  let locale: String?
  let title: String
  let words: String
  let tags: [String]
  let metadata: JSONObject
  let values: [FieldValue]
  let variations: [Variation]
  let links: [Link]
  /// The files that it was made of, with their stamps.
  let sources: [ExactText: String]
  let file: SourceFile

  init(
    _ draft: FragmentDraft, model: ContentModel, path: String, file: SourceFile
  ) {
    self.model = model
    self.path = path
    self.file = file
    id = draft.id ?? StableID.text(of: path)
    locale = Self.locale(of: path)
    title = draft.title ?? String(path.pathParts().last ?? "")
    words = draft.words ?? ""
    tags = draft.tags
    metadata = draft.metadata
    values = draft.values
    variations = draft.variations
    links = draft.links
    sources = draft.sources
  }

  /// The first folder below the site that is a language, with or without a country.
  static func locale(of path: String) -> String? {
    for part in path.pathParts().dropFirst(2).dropLast().prefix(4) {
      let words = part.split(whereSeparator: { $0 == "_" || $0 == "-" })
      guard let language = words.first, language.utf8.count == 2, part.utf8.count == 2 || part.utf8.count == 5,
        words.count <= 2, words.allSatisfy({ $0.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } })
      else { continue }
      return String(part)
    }
    return nil
  }
}

/// The value of a field.
enum FieldValue: Sendable {
  case null
  /// A value of a scalar, as the schema has it.
  case scalar(JSONValue)
  case text(TextValue)
  /// The path of an asset, a page or a fragment.
  case reference(String)
  case list([FieldValue])

  /// The values of a list; one value is a list of one.
  var elements: [FieldValue] {
    switch self {
    case .null: []
    case .list(let values): values
    default: [self]
    }
  }
}
