import GraphQL
import JSON
import Text

/// The fragments that the arguments of a list ask for, in their order.
struct FragmentSelection {
  let views: [FragmentView]
  let order: SortOrder?
  let choice: FragmentList.Choice
  private let graph: ContentGraph

  /// - Parameter isPaginated: whether identifiers decide where sorting does not, in the place of paths.
  /// - Throws: what is wrong with the arguments.
  init(
    _ arguments: JSONObject, _ model: ContentModel, _ graph: ContentGraph, isPaginated: Bool
  ) throws(GraphQLError) {
    self.graph = graph
    choice = FragmentList.Choice(
      variation: arguments["variation"]?.stringValue.map { ExactText($0) },
      includesVariations: arguments["includeVariations"]?.boolValue == true)
    let sort = arguments["sort"]?.stringValue ?? ""
    order = sort.allSatisfy(\.isWhitespace) ? nil : try SortOrder(sort, model, graph.models)
    guard let list = graph.lists[model.key] else {
      views = []
      return
    }
    let all = list.views(choice)
    let (order, choice) = (order, choice)
    let positions = list.order(choice, "\(isPaginated)\n\(order == nil ? "" : sort)") {
      Self.positions(of: all, order, graph, choice.variation?.text, isPaginated: isPaginated)
    }
    var run = FilterRun(graph, variation: choice.variation?.text)
    let filter = arguments["filter"]?.objectValue.map { FragmentFilter($0, model, graph.models) }
    let locale = arguments["_locale"]?.stringValue.map(Self.plainLocale)
    var views: [FragmentView] = []
    for position in positions {
      let view = all[Int(position)]
      if let locale, view.fragment.locale.map(Self.plainLocale) != locale { continue }
      if let filter, try !run.passes(view, filter) { continue }
      views.append(view)
    }
    self.views = views
  }

  private static func plainLocale(_ locale: String) -> String {
    String(locale.lowercased().map { $0 == "-" ? "_" : $0 })
  }

  private static func positions(
    of views: [FragmentView], _ order: SortOrder?, _ graph: ContentGraph, _ variation: String?, isPaginated: Bool
  ) -> [Int32] {
    let positions = views.indices.map(Int32.init)
    if order == nil, !isPaginated { return positions }
    let keys = views.map { order?.keys(of: $0, graph, variation: variation) ?? [] }
    return positions.sorted { left, right in
      let (one, other) = (Int(left), Int(right))
      let found = order?.compare(keys[one], keys[other]) ?? 0
      if found != 0 { return found < 0 }
      guard isPaginated else { return left < right }
      return isBehind(views[other], views[one].fragment.id, views[one].variationName)
    }
  }

  /// Whether a fragment is behind another one by their identifiers, or of the same one in a variation behind it: the main
  /// one comes first, the others by their names.
  ///
  /// - Parameter variation: `nil` where each fragment is in the list once.
  private static func isBehind(_ view: FragmentView, _ id: String, _ variation: String?) -> Bool {
    guard view.fragment.id == id else { return view.fragment.id > id }
    guard let variation, view.variation != nil else { return false }
    return variation == FragmentView.mainVariation || ExactText(view.variationName) > ExactText(variation)
  }

  // MARK: Pages

  func cursor(of view: FragmentView) -> PageCursor {
    PageCursor(
      keys: order?.keys(of: view, graph, variation: choice.variation?.text) ?? [], id: view.fragment.id,
      variation: choice.includesVariations ? view.variationName : nil)
  }

  /// The position behind a cursor.
  ///
  /// - Throws: when the text is no cursor of this list.
  func position(after text: String) throws(GraphQLError) -> Int {
    guard let cursor = PageCursor(text, count: order?.parts.count ?? 0) else {
      throw GraphQLError("Invalid cursor: \(text.quotedInProblem).", fix: "Give a cursor of the same list and order.")
    }
    let found = views.firstIndex { view in
      view.fragment.id == cursor.id && (cursor.variation.map { view.variationName.hasBytes(of: $0) } ?? true)
    }
    if let found { return found + 1 }
    // It is gone; what would follow it follows.
    return views.firstIndex { view in
      let keys = order?.keys(of: view, graph, variation: choice.variation?.text) ?? []
      let place = order?.compare(keys, cursor.keys) ?? 0
      return place == 0 ? Self.isBehind(view, cursor.id, cursor.variation) : place > 0
    } ?? views.count
  }
}
