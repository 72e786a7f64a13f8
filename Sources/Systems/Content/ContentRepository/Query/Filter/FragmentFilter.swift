import GraphQL
import JSON

/// A filter of a query, made ready for the fragments of a model.
indirect enum FragmentFilter: Sendable {
  case all([FragmentFilter])
  case any([FragmentFilter])
  case scalar(Subject, [FilterExpression], isAny: Bool)
  case array(Subject, [FilterExpression], isAny: Bool)
  /// A reference to a fragment that has to pass.
  case reference(Int, FragmentFilter)
  case references(Int, ArrayMode, FragmentFilter)
  case texts(Int, ArrayMode, FragmentFilter)

  /// The operand of a comparison: a field or a part of it.
  enum Subject: Sendable {
    case id, path, locale, variation, variations, tags
    case field(Int, Comparand.Form)
    case text(Int, TextFormat)
    /// The text that an element of a list is.
    case element(TextFormat)
  }

  /// - Parameters:
  ///   - json: the filter as its input type has it.
  ///   - models: all models, by their keys.
  init(_ json: JSONObject, _ model: ContentModel, _ models: [String: ContentModel]) {
    var parts: [FragmentFilter] = []
    for (name, value) in json {
      guard let value = value.objectValue else { continue }
      switch name {
      case "_id": parts.append(Self.scalar(.id, value, .text))
      case "_path": parts.append(Self.scalar(.path, value, .text))
      case "_locale": parts.append(Self.scalar(.locale, value, .text))
      case "_variation": parts.append(Self.scalar(.variation, value, .text))
      case "_variations": parts.append(Self.array(.variations, value, .text))
      case "_tags": parts.append(Self.array(.tags, value, .text))
      default:
        if let position = model.position(of: name) {
          parts.append(Self.field(model.fields[position], position, value, models))
        }
      }
    }
    self = Self.combined(parts, json)
  }

  private static func combined(_ parts: [FragmentFilter], _ json: JSONObject) -> FragmentFilter {
    json["_logOp"]?.stringValue == "OR" && !parts.isEmpty ? .any(parts) : .all(parts)
  }

  private static func field(
    _ field: ContentField, _ position: Int, _ json: JSONObject, _ models: [String: ContentModel]
  ) -> FragmentFilter {
    let mode = ArrayMode(json) ?? .atLeastOnce
    switch field.type {
    case .multiLine:
      if !field.isMultiple { return texts(json) { .text(position, $0) } }
      return .texts(position, mode, texts(json["_match"]?.objectValue ?? [:]) { .element($0) })
    case .fragment(let keys):
      guard let model = keys.first.flatMap({ models[$0] }) else { return .all([]) }
      if !field.isMultiple { return .reference(position, FragmentFilter(json, model, models)) }
      return .references(position, mode, FragmentFilter(json["_match"]?.objectValue ?? [:], model, models))
    default:
      guard let form = field.type.form else { return .all([]) }
      return field.isMultiple ? array(.field(position, form), json, form) : scalar(.field(position, form), json, form)
    }
  }

  private static func texts(_ json: JSONObject, _ subject: (TextFormat) -> Subject) -> FragmentFilter {
    let parts = json.compactMap { name, value -> FragmentFilter? in
      guard let format = TextFormat(rawValue: name), let value = value.objectValue else { return nil }
      return scalar(subject(format), value, .text)
    }
    return combined(parts, json)
  }

  private static func scalar(_ subject: Subject, _ json: JSONObject, _ form: Comparand.Form) -> FragmentFilter {
    .scalar(subject, expressions(json, form), isAny: json["_logOp"]?.stringValue == "OR")
  }

  private static func array(_ subject: Subject, _ json: JSONObject, _ form: Comparand.Form) -> FragmentFilter {
    .array(subject, expressions(json, form), isAny: json["_logOp"]?.stringValue == "OR")
  }

  private static func expressions(_ json: JSONObject, _ form: Comparand.Form) -> [FilterExpression] {
    (json["_expressions"]?.arrayValue ?? []).compactMap { $0.objectValue.map { FilterExpression($0, form) } }
  }
}
