import GraphQL
import JSON
import Text

/// `sort: "price DESC, author.lastName"`.
struct SortOrder: Sendable {
  struct Part: Sendable {
    let names: [String]
    let isDescending: Bool
  }

  let parts: [Part]

  private static let helpers = ["_path", "_id", "_locale", "_variation"]

  /// - Throws: what is wrong with the text.
  init(_ text: String, _ model: ContentModel, _ models: [String: ContentModel]) throws(GraphQLError) {
    guard text.utf8.count <= 2_000 else { throw GraphQLError("The sort expression is too long.") }
    var parts: [Part] = []
    for expression in text.split(separator: ",") {
      let words = expression.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let path = words.first, words.count <= 2, parts.count < 16 else {
        throw GraphQLError(
          "Invalid sort expression: \(text.quotedInProblem).",
          fix: "Write fields with ASC or DESC, and commas between them.")
      }
      let direction = words.count == 2 ? words[1].uppercased() : "ASC"
      guard direction == "ASC" || direction == "DESC" else {
        throw GraphQLError("Invalid sort direction: \(words[1].quotedInProblem).", fix: "Write ASC or DESC.")
      }
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      try Self.check(names[...], [model], models)
      parts.append(Part(names: names, isDescending: direction == "DESC"))
    }
    self.parts = parts
  }

  private static func check(
    _ names: ArraySlice<String>, _ owners: [ContentModel], _ models: [String: ContentModel]
  ) throws(GraphQLError) {
    guard let name = names.first, names.count <= 8 else { throw GraphQLError("A sort field is nested too deeply.") }
    if names.count == 1, helpers.contains(name) { return }
    let fields = owners.compactMap { owner in owner.position(of: name).map { owner.fields[$0] } }
    guard let field = fields.first else {
      let known = owners.flatMap { $0.fields.map(\.name) } + helpers
      throw GraphQLError(
        "Invalid sort field: there is no \(name.quotedInProblem).", fix: didYouMean(nearMisses(of: name, in: known)))
    }
    if field.isMultiple { throw GraphQLError("Invalid sort field: \(name.quotedInProblem) is an array.") }
    if case .fragment(let keys) = field.type, names.count > 1 {
      return try check(names.dropFirst(), keys.compactMap { models[$0] }, models)
    }
    if field.type.form == nil || names.count > 1 {
      throw GraphQLError("Invalid sort field: \(name.quotedInProblem) cannot be sorted by.")
    }
  }

  /// Returns the values that a fragment is sorted by.
  func keys(of view: FragmentView, _ graph: ContentGraph, variation: String?) -> [SortKey] {
    parts.map { Self.key(of: view, $0.names[...], graph, variation) }
  }

  private static func key(
    of view: FragmentView, _ names: ArraySlice<String>, _ graph: ContentGraph, _ variation: String?
  ) -> SortKey {
    guard let name = names.first else { return .null }
    let fragment = view.fragment
    switch name {
    case "_path": return .text(fragment.path)
    case "_id": return .text(fragment.id)
    case "_locale": return fragment.locale.map(SortKey.text) ?? .null
    case "_variation": return .text(view.variationName)
    default: break
    }
    guard let position = fragment.model.position(of: name) else { return .null }
    switch view.values[position] {
    case .scalar(let json):
      return fragment.model.fields[position].type.form.map { SortKey(Comparand(json, $0)) } ?? .null
    case .reference(let path):
      guard let target = graph.fragment(at: path) else { return .null }
      return key(of: FragmentView(target, named: variation), names.dropFirst(), graph, variation)
    default: return .null
    }
  }

  /// Whether keys come before, or after, others; 0 when they are the same.
  func compare(_ left: [SortKey], _ right: [SortKey]) -> Int {
    for (index, part) in parts.enumerated() where left[index] != right[index] {
      let isBefore = left[index] < right[index]
      // Numbers of different kinds may be equal in their order.
      if !isBefore, !(right[index] < left[index]) { continue }
      return isBefore == part.isDescending ? 1 : -1
    }
    return 0
  }
}
