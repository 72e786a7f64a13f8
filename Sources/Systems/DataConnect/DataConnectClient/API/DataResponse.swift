package import JSON

/// What came of an operation.
package struct DataResponse: Sendable, Hashable {
  /// Where data is from.
  package enum Source: String, Sendable, Hashable {
    case server
    case cache
  }

  /// An object, of which fields that failed are null; `nil` or null when there is none.
  package var data: JSONValue?
  /// What went wrong in some or all fields, as the server wrote it.
  package var errors: [JSONValue]
  package var source: Source

  package init(data: JSONValue?, errors: [JSONValue] = [], source: Source) {
    self.data = data
    self.errors = errors
    self.source = source
  }
}

/// Where the result of a query may come from.
package enum FetchPolicy: String, Sendable, Hashable, CaseIterable {
  /// What is kept, as long as it is fresh; else the server.
  case preferCache
  /// What is kept, fresh or not; without data when nothing is.
  case cacheOnly
  /// The server.
  case serverOnly
}
