package import JSON

/// How a list is asked for piece by piece.
package enum ListPaging: Equatable, Sendable {
  /// By the variables `first` and `after`, for queries over `…Paginated`. AEM gives at most 100 at once.
  case cursor(size: Int, after: String? = nil)
  /// By the variables `offset` and `limit`, for queries over `…List`.
  case offset(size: Int, from: Int = 0)

  /// Fragments that a page may have.
  package static let sizes = 1...1_000
}

/// One piece of a list.
package struct ListPage: Equatable, Sendable {
  package let result: ContentResult
  package let root: ContentRoot
  /// In the order of the server; one that is null stays null.
  package let fragments: [JSONValue]
  /// Behind the last fragment; nil when there is none, and for pages by offset.
  package let cursor: String?
  /// Whether another page may follow.
  package let hasNext: Bool
}
