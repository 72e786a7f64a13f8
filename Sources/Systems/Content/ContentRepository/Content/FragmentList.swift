import Synchronization
import Text

/// A fragment in one of its variations.
struct FragmentView: Sendable {
  /// What AEM calls the main variation.
  static let mainVariation = "master"

  let fragment: ContentFragment
  /// The index of the variation; nil for the main one.
  let variation: Int?

  var values: [FieldValue] { variation.map { fragment.variations[$0].values } ?? fragment.values }
  var variationName: String { variation.map { fragment.variations[$0].name } ?? Self.mainVariation }

  init(_ fragment: ContentFragment, variation: Int? = nil) {
    self.fragment = fragment
    self.variation = variation
  }

  /// Creates the view of the variation with a name, or of the main one when the fragment lacks that variation.
  init(_ fragment: ContentFragment, named name: String?) {
    self.fragment = fragment
    variation = name.flatMap { name in fragment.variations.firstIndex { $0.name.hasBytes(of: name) } }
  }
}

/// The fragments of a model, with what was found out about them when they were asked for.
final class FragmentList: Sendable {
  /// The variations that a query selects.
  struct Choice: Hashable, Sendable {
    var variation: ExactText?
    var includesVariations = false
  }

  /// The fragments, sorted by their paths.
  let fragments: [ContentFragment]
  private let cache = Mutex(Cache())

  private struct Cache {
    var views: [Choice: [FragmentView]] = [:]
    var orders: [OrderKey: [Int32]] = [:]
  }

  private struct OrderKey: Hashable {
    let choice: Choice
    let order: String
  }

  /// The most cached choices, and the most cached orders.
  private static let capacity = 32

  init(_ fragments: [ContentFragment]) { self.fragments = fragments.sorted { $0.path < $1.path } }

  /// The fragments as a query wants them, in the order of their paths.
  func views(_ choice: Choice) -> [FragmentView] {
    if let views = cache.withLock({ $0.views[choice] }) { return views }
    let views = fragments.flatMap { fragment in
      choice.includesVariations
        ? [FragmentView(fragment)] + fragment.variations.indices.map { FragmentView(fragment, variation: $0) }
        : [FragmentView(fragment, named: choice.variation?.text)]
    }
    cache.withLock {
      if $0.views.count >= Self.capacity { $0.views = [:] }
      $0.views[choice] = views
    }
    return views
  }

  /// The positions of the views in an order that is known already, or as `make` finds them.
  func order(_ choice: Choice, _ order: String, _ make: () throws -> [Int32]) rethrows -> [Int32] {
    let key = OrderKey(choice: choice, order: order)
    if let positions = cache.withLock({ $0.orders[key] }) { return positions }
    let positions = try make()
    cache.withLock {
      if $0.orders.count >= Self.capacity { $0.orders = [:] }
      $0.orders[key] = positions
    }
    return positions
  }
}
