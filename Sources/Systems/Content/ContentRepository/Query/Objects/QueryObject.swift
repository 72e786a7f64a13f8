import GraphQL
import JSON

/// The root fields: what they find.
struct QueryObject: GraphQLObject {
  let run: RunScope

  func resolve(_ field: GraphQLField) throws -> GraphQLResult {
    let graph = run.graph
    guard let (root, key) = run.endpoint.roots[field.name], let model = graph.models[key] else { return .null }
    let arguments = field.arguments
    let scope = FieldScope(
      run: run, variation: arguments["variation"]?.stringValue,
      rendition: DynamicURL(arguments["_assetTransform"]?.objectValue))
    switch root {
    case .byPath: return one(graph.fragment(at: arguments["_path"]?.stringValue ?? ""), key, scope)
    case .byID: return one(graph.fragmentsByID[arguments["_id"]?.stringValue?.lowercased() ?? ""], key, scope)
    case .list:
      let selection = try FragmentSelection(arguments, model, graph, isPaginated: false)
      let offset = try Self.count("offset", arguments) ?? 0
      let limit = try Self.count("limit", arguments) ?? selection.views.count
      return .object(ResultList(views: Array(selection.views.dropFirst(offset).prefix(limit)), scope: scope))
    case .paginated:
      let selection = try FragmentSelection(arguments, model, graph, isPaginated: true)
      let first = min(try Self.count("first", arguments) ?? 50, 100)
      let start = try arguments["after"]?.stringValue.map { try $0.isEmpty ? 0 : selection.position(after: $0) } ?? 0
      return .object(
        ConnectionObject(
          selection: selection, range: start..<min(selection.views.count, start + first), scope: scope))
    }
  }

  /// A fragment of a model, or nothing.
  private func one(_ fragment: ContentFragment?, _ key: String, _ scope: FieldScope) -> GraphQLResult {
    let found = fragment.flatMap { $0.model.key == key ? [FragmentView($0, named: scope.variation)] : nil }
    return .object(ResultList(views: found ?? [], scope: scope))
  }

  private static func count(_ name: String, _ arguments: JSONObject) throws(GraphQLError) -> Int? {
    guard let number = arguments[name]?.integerValue else { return nil }
    guard let count = Int(exactly: number), count >= 0 else {
      throw GraphQLError("\(name.quotedInProblem) must not be negative, but is \(number).")
    }
    return count
  }
}

/// The result types `…Result` and `…Results`.
struct ResultList: GraphQLObject {
  let views: [FragmentView]
  let scope: FieldScope

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "item": views.first.map { .object(FragmentObject(view: $0, scope: scope)) } ?? .null
    case "items": .list(views.map { .object(FragmentObject(view: $0, scope: scope)) })
    case "_references": .list(ReferenceList.results(of: views, scope))
    default: .null
    }
  }
}

/// The result type `…Connection`.
struct ConnectionObject: GraphQLObject {
  let selection: FragmentSelection
  let range: Range<Int>
  let scope: FieldScope

  private var views: ArraySlice<FragmentView> { selection.views[range] }

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "edges":
      .list(
        views.map { view in
          .object(EdgeObject(view: view, cursor: selection.cursor(of: view).text, scope: scope))
        })
    case "pageInfo":
      .value([
        "startCursor": views.first.map { .string(selection.cursor(of: $0).text) } ?? .null,
        "endCursor": views.last.map { .string(selection.cursor(of: $0).text) } ?? .null,
        "hasNextPage": .bool(range.upperBound < selection.views.count), "hasPreviousPage": .bool(range.lowerBound > 0),
      ])
    case "_references": .list(ReferenceList.results(of: Array(views), scope))
    default: .null
    }
  }
}

/// The result type `…Edge`.
struct EdgeObject: GraphQLObject {
  let view: FragmentView
  let cursor: String
  let scope: FieldScope

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "cursor": .value(.string(cursor))
    case "node": .object(FragmentObject(view: view, scope: scope))
    default: .null
    }
  }
}
