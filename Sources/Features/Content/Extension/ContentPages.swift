public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
public import JSON

/// How the pages of a list are requested.
public enum ContentPaging: Sendable, Equatable {
  /// By the variables `first` and `after`, for queries over a field that ends in `Paginated`. AEM gives at most 100.
  case cursor(first: Int = 50)
  /// By the variables `offset` and `limit`, for queries over a field that ends in `List`.
  case offset(limit: Int = 50)
}

/// One page of a list.
public struct ContentPage<Item: Decodable & Sendable>: Sendable {
  /// The page's fragments; those that do not fit the type are among the problems.
  public var items: ContentItems<Item>
  /// The errors of the server; empty for a complete answer.
  public var errors: [Content.QueryError]
  /// Whether the page comes from the server or the cache.
  public var source: Content.Source
}

extension ExtensionContext {
  /// A list of AEM piece by piece, each asked for when it is wanted.
  ///
  /// - Parameters:
  ///   - query: `configuration/query`; it declares the variables of the paging.
  ///   - variables: the others, in their order.
  ///   - refresh: whether the server is to answer, or to confirm what the cache has.
  public func contentPages<Item: Decodable & Sendable>(
    _ query: String, variables: JSONObject = [:], by paging: ContentPaging, refresh: Bool = false, of type: Item.Type
  ) -> ContentPages<Item> {
    ContentPages(context: self, query: query, variables: variables, paging: paging, refresh: refresh)
  }
}

/// The pages of a list. They end when the server says so, gives nothing more, or gives the same again.
public struct ContentPages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
  /// One page.
  public typealias Element = ContentPage<Item>

  let context: ExtensionContext
  let query: String
  let variables: JSONObject
  let paging: ContentPaging
  let refresh: Bool

  /// Begins at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  /// Requests one page after another.
  public struct Iterator: AsyncIteratorProtocol {
    private let pages: ContentPages
    private var after: String?
    private var seen: Set<String> = []
    private var offset = 0
    private var last: JSONValue?
    private var isAtEnd = false

    init(pages: ContentPages) { self.pages = pages }

    /// The next page; `nil` behind the last.
    ///
    /// - Throws: `contentInvalid` for an answer without a list, and what running a query throws. Nothing follows.
    public mutating func next() async throws(ExtensionError) -> ContentPage<Item>? {
      if isAtEnd { return nil }
      isAtEnd = true
      var variables = pages.variables
      switch pages.paging {
      case .cursor(let first):
        variables["first"] = .integer(Int64(first))
        if let after { variables["after"] = .string(after) }
      case .offset(let limit):
        variables["offset"] = .integer(Int64(offset))
        variables["limit"] = .integer(Int64(limit))
      }
      let result = try await pages.context.content(pages.query, variables: variables, refresh: pages.refresh)
      let root = try PageRoot<Item>(result, of: pages.query, isPaginated: pages.paging.isByCursor)
      // A query that does not declare the variables gives the same, whatever is asked for.
      if let last, last == root.list { return nil }
      last = root.list
      switch pages.paging {
      case .cursor:
        let isNew = root.cursor.map { seen.insert($0).inserted } ?? false
        after = root.cursor
        isAtEnd = root.count == 0 || !root.hasNext || !isNew
      case .offset(let limit):
        offset += root.count
        isAtEnd = root.count < limit
      }
      return ContentPage(items: root.items, errors: result.errors ?? [], source: result.source)
    }
  }
}

extension ContentPaging {
  fileprivate var isByCursor: Bool { if case .cursor = self { true } else { false } }
}

/// The one field of an answer that holds a list.
private struct PageRoot<Item: Decodable & Sendable> {
  let list: JSONValue
  var count: Int { list.arrayValue?.count ?? 0 }
  let items: ContentItems<Item>
  let cursor: String?
  let hasNext: Bool

  /// - Throws: `contentInvalid`.
  init(_ result: Content.Execute.Result, of query: String, isPaginated: Bool) throws(ExtensionError) {
    let member = isPaginated ? "edges" : "items"
    let roots = (result.data.objectValue ?? [:]).filter { $0.value[member]?.arrayValue != nil }
    guard let root = roots.first, roots.count == 1, let list = root.value[member] else {
      let names = (result.data.objectValue ?? [:]).prefix(8).map { "“\($0.key.prefix(80))”" }.joined(separator: ", ")
      throw ExtensionError(
        .contentInvalid,
        "The answer to “\(query)” has not one field with “\(member)”, but \(names.isEmpty ? "nothing" : names).",
        recovery: isPaginated
          ? "Run a query over a field that ends in Paginated." : "Run a query over a field that ends in List.")
    }
    let elements = list.arrayValue ?? []
    let nodes = isPaginated ? elements.map { $0["node"] ?? .null } : elements
    var answer = result
    answer.data = .array(nodes)
    self.list = list
    items = try answer.decode(ContentItems<Item>.self, of: query)
    let information = root.value["pageInfo"]
    cursor = information?["endCursor"]?.stringValue ?? elements.last?["cursor"]?.stringValue
    hasNext = information?["hasNextPage"]?.boolValue != false
  }
}
