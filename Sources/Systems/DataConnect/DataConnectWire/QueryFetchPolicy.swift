/// Where a result is from.
public enum DataSource: Sendable, Hashable {
  /// The server has answered.
  case server
  /// It was kept.
  case cache
}

/// Where the result of a query may come from.
public enum QueryFetchPolicy: String, Sendable, Hashable, CaseIterable {
  /// What is kept, as long as it is fresh; else the server.
  case preferCache
  /// What is kept, fresh or not.
  case cacheOnly
  /// The server.
  case serverOnly
}
