public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
public import JSON

extension ExtensionContext {
  /// Runs a persisted query of AEM through the host. Needs the entitlement `content`, and the query under
  /// `Annex.Content`.
  ///
  /// - Parameters:
  ///   - query: `configuration/query`, for example `wknd-shared/adventures-all`.
  ///   - variables: the variables, in the order in which the URL contains them.
  ///   - refresh: whether the server must answer, or confirm the cached answer.
  /// - Returns: the data, with the errors of a partial answer.
  /// - Throws: `contentFailed` with the reason when AEM is down or answers with something else than data,
  ///   `permissionDenied` for a query that the manifest does not name.
  public func content(
    _ query: String, variables: JSONObject? = nil, refresh: Bool = false
  ) async throws(ExtensionError) -> Content.Execute.Result {
    try await call(Content.Execute(query: query, variables: variables, refresh: refresh ? true : nil))
  }

  /// The same, with the `data` member decoded into a type of the author's. Take ``ContentItems`` for lists, so that one
  /// fragment that is not as expected does not cost the others.
  ///
  /// - Throws: `contentInvalid` with the place in the data when it does not fit the type; and what the plain call throws.
  public func content<Value: Decodable & Sendable>(
    _ query: String, variables: JSONObject? = nil, refresh: Bool = false, as type: Value.Type
  ) async throws(ExtensionError) -> ContentAnswer<Value> {
    let result = try await content(query, variables: variables, refresh: refresh)
    return ContentAnswer(data: try result.decode(type, of: query), result)
  }

  /// Fetches a picture of the configured server into the scratch directory.
  ///
  /// - Parameters:
  ///   - path: a `_dynamicUrl` or a `_path`, as a query answered it.
  ///   - width: in pixels; this and the next three count for a `_dynamicUrl` alone.
  ///   - height: in pixels.
  ///   - format: one of AEM's: `JPG`, `PNG`, `GIF`, `WEBP` and their variants.
  ///   - quality: from 1 to 100.
  ///   - refresh: whether the server is to answer, or to confirm what the cache has.
  /// - Throws: `contentFailed` with the reason, `invalidParams` for a picture of another server.
  public func contentImage(
    _ path: String, width: Int? = nil, height: Int? = nil, format: String? = nil, quality: Int? = nil,
    refresh: Bool = false
  ) async throws(ExtensionError) -> Content.Image.Result {
    try await call(
      Content.Image(
        path: path, width: width, height: height, format: format, quality: quality, refresh: refresh ? true : nil))
  }
}

/// The answer to a persisted query.
public struct ContentAnswer<Value: Sendable>: Sendable {
  /// The `data` member of the GraphQL answer, decoded.
  public var data: Value
  /// The errors of the server; empty for a complete answer.
  public var errors: [Content.QueryError]
  /// The status of the server's answer when it came.
  public var httpStatus: Int
  /// Whether the answer comes from the server or the cache.
  public var source: Content.Source
  /// Seconds since the answer left its server.
  public var ageSeconds: Int

  init(data: Value, _ result: Content.Execute.Result) {
    self.data = data
    errors = result.errors ?? []
    httpStatus = result.httpStatus
    source = result.source
    ageSeconds = result.ageSeconds
  }
}

extension Content.Execute.Result {
  /// - Throws: `contentInvalid`.
  func decode<Value: Decodable>(_ type: Value.Type, of query: String) throws(ExtensionError) -> Value {
    do {
      return try JSONCoding.decode(type, from: data)
    } catch {
      var place = "data"
      var reason = "\(error)"
      if let error = error as? DecodingError {
        let (path, description) = error.pathAndDescription
        if !path.isEmpty { place += path.hasPrefix("[") ? path : ".\(path)" }
        reason = description
      }
      let told = (errors ?? []).first.map { " The server says: \($0.message.prefix(200))" } ?? ""
      throw ExtensionError(
        .contentInvalid, "The answer to “\(query)” is not as expected at \(place): \(reason)\(told)",
        recovery: "Make the member optional, or check the query and its model.",
        details: ["query": .string(query), "path": .string(place)])
    }
  }
}
