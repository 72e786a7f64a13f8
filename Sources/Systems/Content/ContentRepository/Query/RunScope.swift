import GraphQL
import JSON
import Synchronization

/// The state that the objects of one execution share.
final class RunScope: Sendable {
  let graph: ContentGraph
  let endpoint: Endpoint
  let options: RunOptions
  private let bytesLeft = Mutex(RunScope.bytes)

  /// The most bytes of long texts in one answer.
  private static let bytes = 64 << 20

  init(graph: ContentGraph, endpoint: Endpoint, options: RunOptions) {
    self.graph = graph
    self.endpoint = endpoint
    self.options = options
  }

  /// Counts a long text.
  ///
  /// - Throws: when an answer has too much of them.
  func count(_ value: JSONValue) throws(GraphQLError) {
    let size = if case .string(let text) = value { text.utf8.count } else { 4_096 }
    let isLeft = bytesLeft.withLock { left in
      left -= min(left, size)
      return left > 0
    }
    if !isLeft {
      throw GraphQLError("The answer has more than \(Self.bytes >> 20) MiB of text.", code: "Limits")
    }
  }
}

/// The state that the objects below one root field share.
struct FieldScope: Sendable {
  let run: RunScope
  /// The variation that was asked for; what does not have it shows its main one.
  let variation: String?
  let rendition: DynamicURL
}
