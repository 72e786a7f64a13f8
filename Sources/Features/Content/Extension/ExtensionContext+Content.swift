public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
public import JSONRPC

extension ExtensionContext {
  /// Runs a persisted query of AEM through the host. Needs the entitlement `content`.
  ///
  /// - Parameters:
  ///   - query: `configuration/query`, for example `wknd-shared/adventures-all`.
  ///   - variables: in the order in which they stand in the URL.
  /// - Throws: `contentFailed` with the reason when AEM is down or answers with something else than data.
  public func content(
    _ query: String, variables: JSONObject? = nil
  ) async throws(ExtensionError) -> Content.Execute.Result {
    try await call(Content.Execute(query: query, variables: variables))
  }

  /// The same, with the `data` member decoded into a type of the author's.
  public func content<Value: Codable & Sendable>(
    _ query: String, variables: JSONObject? = nil, as type: Value.Type
  ) async throws(ExtensionError) -> ContentAnswer<Value> {
    try await call(TypedExecute<Value>(query: query, variables: variables))
  }
}

/// The answer to a persisted query.
public struct ContentAnswer<Value: Codable & Sendable>: Codable, Sendable {
  /// The `data` member of the GraphQL answer, decoded.
  public var data: Value
  /// `network`, `cache`, `revalidated` or `stale`.
  public var source: String
  /// Seconds since the answer left its server.
  @NonNegative public var ageSeconds: Int
}

/// `content/execute`, with a type for the data.
private struct TypedExecute<Value: Codable & Sendable>: RemoteMethod {
  typealias Result = ContentAnswer<Value>
  static var method: String { Content.Execute.method }
  var query: String
  var variables: JSONObject?
}
