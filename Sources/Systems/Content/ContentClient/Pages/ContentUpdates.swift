package import JSON

/// An answer at once where the cache may give one, and then that of the server: one or two results.
///
/// The second replaces the first, also when it is the same content. When the server fails, it is the older answer with
/// the reason, as far as the server allowed that. Nothing is asked before the next result is wanted.
package struct ContentUpdates: AsyncSequence, Sendable {
  /// An answer, the cached one or the server's.
  package typealias Element = ContentResult
  /// The error that ends the sequence.
  package typealias Failure = ContentError

  let client: ContentClient
  let query: String
  let variables: JSONObject
  let policy: ContentClient.Policy

  /// Returns an iterator that starts at the cached answer.
  package func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

  /// Gives the cached answer first, then requests the server's.
  package struct Iterator: AsyncIteratorProtocol {
    private enum Stage {
      case first, second, end
    }

    private let updates: ContentUpdates
    private var stage = Stage.first

    fileprivate init(updates: ContentUpdates) { self.updates = updates }

    /// Returns the next answer, or nil after the last one. Throws as `next(isolation:)` does.
    package mutating func next() async throws -> ContentResult? { try await next(isolation: #isolation) }

    /// - Throws: what running the query throws. Nothing follows.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ContentError) -> ContentResult? {
      let now = stage
      stage = .end
      switch now {
      case .first:
        let policy = updates.policy == .useCache ? .preferCache : updates.policy
        let result = try await updates.client.execute(
          query: updates.query, variables: updates.variables, policy: policy)
        if result.isRefreshDue { stage = .second }
        return result
      case .second:
        return try await updates.client.executePatiently(query: updates.query, variables: updates.variables)
      case .end: return nil
      }
    }
  }
}

extension ContentClient {
  /// Returns a sequence of the cached answer, if any, and then the server's, for callers that display both in turn.
  package nonisolated func updates(
    query: String, variables: JSONObject = [:], policy: Policy = .useCache
  ) -> ContentUpdates {
    ContentUpdates(client: self, query: query, variables: variables, policy: policy)
  }
}
