import GraphQL
import JSON

/// One execution of a filter over many fragments.
struct FilterRun {
  let graph: ContentGraph
  /// The variation in which the filter reads referenced fragments.
  let variation: String?
  /// How many comparisons are left: references of references can be very many.
  private var stepsLeft = 5_000_000

  init(_ graph: ContentGraph, variation: String?) {
    self.graph = graph
    self.variation = variation
  }

  /// - Throws: when there is too much to compare.
  mutating func passes(_ view: FragmentView, _ filter: FragmentFilter) throws(GraphQLError) -> Bool {
    try passes(view, filter, element: nil)
  }

  private mutating func passes(
    _ view: FragmentView, _ filter: FragmentFilter, element: TextValue?
  ) throws(GraphQLError) -> Bool {
    stepsLeft -= 1
    guard stepsLeft >= 0 else {
      throw GraphQLError(
        "The filter compares too much.", fix: "Filter through fewer references, or fewer fragments.", code: "Limits")
    }
    switch filter {
    case .all(let parts):
      for part in parts where try !passes(view, part, element: element) { return false }
      return true
    case .any(let parts):
      for part in parts where try passes(view, part, element: element) { return true }
      return false
    case .scalar(let subject, let expressions, let isAny):
      let value = scalar(subject, view, element)
      return isAny && !expressions.isEmpty
        ? expressions.contains { $0.matches(value) } : expressions.allSatisfy { $0.matches(value) }
    case .array(let subject, let expressions, let isAny):
      let values = array(subject, view)
      stepsLeft -= values.count
      return isAny && !expressions.isEmpty
        ? expressions.contains { $0.matches(array: values) } : expressions.allSatisfy { $0.matches(array: values) }
    case .reference(let position, let filter):
      guard let target = target(view.values[position]) else { return false }
      return try passes(target, filter, element: nil)
    case .references(let position, let mode, let filter):
      let targets = view.values[position].elements.compactMap { target($0) }
      return try passes(mode, targets.count, filter) { (targets[$0], nil) }
    case .texts(let position, let mode, let filter):
      let texts = view.values[position].elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return try passes(mode, texts.count, filter) { (view, texts[$0]) }
    }
  }

  /// Whether enough elements of an array pass.
  private mutating func passes(
    _ mode: ArrayMode, _ count: Int, _ filter: FragmentFilter, _ element: (Int) -> (FragmentView, TextValue?)
  ) throws(GraphQLError) -> Bool {
    var run = self
    defer { self = run }
    return try mode.matches(count: count) { index throws(GraphQLError) in
      let (view, text) = element(index)
      return try run.passes(view, filter, element: text)
    }
  }

  private func target(_ value: FieldValue) -> FragmentView? {
    guard case .reference(let path) = value else { return nil }
    return graph.fragment(at: path).map { FragmentView($0, named: variation) }
  }

  // MARK: Values

  private func scalar(_ subject: FragmentFilter.Subject, _ view: FragmentView, _ element: TextValue?) -> Comparand {
    switch subject {
    case .id: .text(view.fragment.id)
    case .path: .text(view.fragment.path)
    case .locale: view.fragment.locale.map(Comparand.text) ?? .null
    case .variation: .text(view.variationName)
    case .field(let position, let form):
      if case .scalar(let json) = view.values[position] { Comparand(json, form) } else { .null }
    case .text(let position, let format):
      if case .text(let text) = view.values[position] { Comparand(text.form(format), .text) } else { .null }
    case .element(let format): element.map { Comparand($0.form(format), .text) } ?? .null
    case .variations, .tags: .null
    }
  }

  private func array(_ subject: FragmentFilter.Subject, _ view: FragmentView) -> [Comparand] {
    switch subject {
    case .tags: view.fragment.tags.map(Comparand.text)
    case .variations: view.fragment.variations.map { .text($0.name) }
    case .field(let position, let form):
      view.values[position].elements.map { if case .scalar(let json) = $0 { Comparand(json, form) } else { .null } }
    default: []
    }
  }
}
