import GraphQL
import Text

/// What the content of fragments refers to.
enum ReferenceList {
  /// How many references of a list are shown.
  private static let limit = 10_000

  /// The content references and the links in texts of some fragments, each once, in their order. What is not there is
  /// left out, as AEM does.
  static func results(of views: [FragmentView], _ scope: FieldScope) -> [GraphQLResult] {
    var seen: Set<ExactText> = []
    var results: [GraphQLResult] = []
    for view in views {
      for (field, value) in zip(view.fragment.model.fields, view.values) {
        for path in paths(value, field)
        where results.count < limit && seen.insert(ExactText(page(of: path) ?? path)).inserted {
          if let result = result(of: path, scope) { results.append(result) }
        }
      }
    }
    return results
  }

  private static func paths(_ value: FieldValue, _ field: ContentField) -> [String] {
    value.elements.flatMap { element -> [String] in
      switch element {
      case .text(let text): return text.references
      case .reference(let path):
        if case .content = field.type { return [path] }
        return []
      default: return []
      }
    }
  }

  /// What a path leads to; `nil` when that is nothing of this content.
  static func result(of path: String, _ scope: FieldScope) -> GraphQLResult? {
    let graph = scope.run.graph
    if let fragment = graph.fragment(at: path) {
      guard scope.run.endpoint.typeNames[fragment.model.key] != nil else { return nil }
      return .object(FragmentObject(view: FragmentView(fragment, named: scope.variation), scope: scope))
    }
    if let asset = graph.asset(at: path) { return .object(AssetObject(asset: asset, scope: scope)) }
    return page(of: path).map { .object(PageObject(path: $0, scope: scope)) }
  }

  /// The path of a page, whose address may end in `.html`; `nil` for what is no page.
  private static func page(of path: String) -> String? {
    guard path.hasPrefix("/content/"), !path.hasPrefix("/content/dam/") else { return nil }
    return path.hasSuffix(".html") ? String(path.dropLast(5)) : path
  }
}
