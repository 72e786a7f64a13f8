package import JSON
import Text

/// The pieces of a list, each asked for when it is wanted.
///
/// They end when the server says so, gives nothing more, repeats a cursor or a page, or when as many were given as are
/// allowed. Cancelling the task ends the request on its way with `cancelled`.
package struct ListPages: AsyncSequence, Sendable {
  /// One page of the list.
  package typealias Element = ListPage
  /// The error that ends the sequence early.
  package typealias Failure = ContentError

  let client: ContentClient
  let query: String
  let variables: JSONObject
  let paging: ListPaging
  let policy: ContentClient.Policy
  let maximumPages: Int

  /// Returns an iterator that starts at the first page.
  package func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  /// Requests one page each time a caller asks for the next element.
  package struct Iterator: AsyncIteratorProtocol {
    private let pages: ListPages
    private var after: String?
    private var offset = 0
    private var seen: Set<ExactText> = []
    private var last: [JSONValue] = []
    private var count = 0
    private var isAtEnd = false

    fileprivate init(pages: ListPages) {
      self.pages = pages
      switch pages.paging {
      case .cursor(_, let after): self.after = after
      case .offset(_, let from): offset = from
      }
    }

    /// Requests the next page; `nil` when the list has ended.
    package mutating func next() async throws -> ListPage? { try await next(isolation: #isolation) }

    /// - Throws: `invalidQuery` for a size out of range, `unexpectedContent` for content that has no such pages, and
    ///   whatever running a query throws. Nothing follows.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ContentError) -> ListPage? {
      guard !isAtEnd, count < pages.maximumPages else { return nil }
      isAtEnd = true
      if Task.isCancelled { throw .cancelled }
      let page = try await page()
      count += 1
      isAtEnd = !page.hasNext
      return page
    }

    private mutating func page() async throws(ContentError) -> ListPage {
      var variables = pages.variables
      let size: Int
      switch pages.paging {
      case .cursor(let first, _):
        size = first
        variables["first"] = .integer(Int64(first))
        if let after { variables["after"] = .string(after) }
      case .offset(let limit, _):
        size = limit
        variables["offset"] = .integer(Int64(offset))
        variables["limit"] = .integer(Int64(limit))
      }
      guard ListPaging.sizes.contains(size), offset >= 0 else {
        throw ContentError(
          .invalidQuery, "A page of \(size) fragments from \(offset) on cannot be asked for.",
          recovery: "Ask for 1 to \(ListPaging.sizes.upperBound), from 0 on.")
      }
      let result = try await pages.client.execute(query: pages.query, variables: variables, policy: pages.policy)
      let root = try result.root()
      switch pages.paging {
      case .cursor: return try byCursor(result, root)
      case .offset: return try byOffset(result, root, size)
      }
    }

    private mutating func byCursor(
      _ result: ContentResult, _ root: ContentRoot
    ) throws(ContentError) -> ListPage {
      try require(.paginated, root)
      let fragments = try root.fragments()
      let information = root.value["pageInfo"]
      let cursor =
        information?["endCursor"]?.stringValue ?? root.value["edges"]?.arrayValue?.last?["cursor"]?.stringValue
      var hasNext = !fragments.isEmpty && information?["hasNextPage"]?.boolValue != false
      // A cursor of its own for each page, or the same page would come for ever.
      if let cursor, after?.hasBytes(of: cursor) != true, !cursor.isEmpty {
        hasNext = hasNext && seen.insert(ExactText(cursor)).inserted
      } else {
        hasNext = false
      }
      after = cursor
      return ListPage(result: result, root: root, fragments: fragments, cursor: cursor, hasNext: hasNext)
    }

    private mutating func byOffset(
      _ result: ContentResult, _ root: ContentRoot, _ size: Int
    ) throws(ContentError) -> ListPage {
      try require(.list, root)
      let fragments = try root.fragments()
      // A query that does not declare the variables gives the same, whatever is asked for.
      let isRepeated = count > 0 && fragments == last
      last = fragments
      let (next, overflows) = offset.addingReportingOverflow(fragments.count)
      offset = next
      return ListPage(
        result: result, root: root, fragments: isRepeated ? [] : fragments, cursor: nil,
        hasNext: fragments.count == size && !isRepeated && !overflows)
    }

    private func require(_ form: ContentRoot.Form, _ root: ContentRoot) throws(ContentError) {
      guard root.form != form else { return }
      let kind = form == .paginated ? "cursor" : "offset"
      throw ContentError(
        .unexpectedContent,
        "\"\(quotable(root.name))\" has no pages by \(kind): it is a field of the form \(root.form.rawValue).",
        recovery: "Run a query over a field that ends in \(form.rawValue), or ask for pages of the other kind.")
    }
  }
}

extension ContentClient {
  /// The pieces of a list.
  ///
  /// - Parameters:
  ///   - query: `configuration/name`; it declares the variables of the paging.
  ///   - variables: the others, in their order.
  ///   - maximumPages: how many are given at most.
  package nonisolated func pages(
    query: String, variables: JSONObject = [:], by paging: ListPaging, policy: Policy = .useCache,
    maximumPages: Int = 1_000
  ) -> ListPages {
    ListPages(
      client: self, query: query, variables: variables, paging: paging, policy: policy, maximumPages: maximumPages)
  }
}

/// The method by which the pages of a list are requested.
package enum ListPaging: Equatable, Sendable {
  /// Paging by the variables `first` and `after`, for queries over `…Paginated`. AEM returns at most 100 at once.
  case cursor(size: Int, after: String? = nil)
  /// Paging by the variables `offset` and `limit`, for queries over `…List`.
  case offset(size: Int, from: Int = 0)

  /// Fragments that a page may have.
  package static let sizes = 1...1_000
}

/// One piece of a list.
package struct ListPage: Equatable, Sendable {
  /// The answer that contains the page.
  package let result: ContentResult
  /// The field of the query that has the list, and its form.
  package let root: ContentRoot
  /// The fragments in the order of the server; a null in the list stays null.
  package let fragments: [JSONValue]
  /// The cursor after the last fragment; nil when there is none, and for pages by offset.
  package let cursor: String?
  /// Whether another page may follow.
  package let hasNext: Bool
}
