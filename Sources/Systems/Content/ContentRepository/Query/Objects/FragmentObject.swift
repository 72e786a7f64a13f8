import GraphQL
import JSON

/// A fragment as queries see it.
struct FragmentObject: GraphQLObject {
  let view: FragmentView
  let scope: FieldScope

  private var fragment: ContentFragment { view.fragment }
  var typeName: String? { scope.run.endpoint.typeNames[fragment.model.key] }

  func resolve(_ field: GraphQLField) throws -> GraphQLResult {
    let name = field.name
    if name.utf8.first == 0x5F { return helper(name) }
    guard let position = fragment.model.position(of: name), view.values.indices.contains(position) else { return .null }
    return try result(view.values[position])
  }

  private func helper(_ name: String) -> GraphQLResult {
    switch name {
    case "_path": .value(.string(fragment.path))
    case "_id": .value(.string(fragment.id))
    case "_locale": .text(fragment.locale)
    case "_variation": .value(.string(view.variationName))
    case "_variations": .value(.array(fragment.variations.map { .string($0.name) }))
    case "_tags": .value(.array(fragment.tags.map(JSONValue.string)))
    case "_model": .value(["_path": .string(fragment.model.path), "title": .string(fragment.model.title)])
    case "_metadata": .value(FragmentMetadata.json(of: view))
    case "_references": .list(ReferenceList.results(of: [view], scope))
    default: .null
    }
  }

  private func result(_ value: FieldValue) throws -> GraphQLResult {
    switch value {
    case .null: .null
    case .scalar(let json): .value(json)
    case .text(let text): .object(TextObject(text: text, scope: scope.run))
    case .reference(let path): ReferenceList.result(of: path, scope) ?? .null
    case .list(let values): .list(try values.map { try result($0) })
    }
  }
}

/// A multi-line text in its forms.
struct TextObject: GraphQLObject {
  let text: TextValue
  let scope: RunScope

  func resolve(_ field: GraphQLField) throws -> GraphQLResult {
    guard let format = TextFormat(rawValue: field.name) else { return .null }
    let value = text.form(format)
    try scope.count(value)
    return .value(value)
  }
}
