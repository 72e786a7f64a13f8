import Synchronization

/// Says to the open pages which of their parts have changed. Any number of changes between two looks of a reader are one.
package final class PageFeed: Sendable {
  private struct Reader {
    var topics: Set<String> = []
    let signal: AsyncStream<Void>.Continuation
  }

  private struct State {
    var readers: [UInt64: Reader] = [:]
    var last: UInt64 = 0
  }

  private let state = Mutex(State())

  init() {}

  /// Something has changed that pages show.
  ///
  /// - Parameter topic: what; a page names the topics that it follows.
  package func touch(_ topic: String) {
    let signals = state.withLock { state in
      for id in state.readers.keys { state.readers[id]?.topics.insert(topic) }
      return state.readers.values.map(\.signal)
    }
    for signal in signals { signal.yield() }
  }

  /// How many browsers listen.
  package var count: Int { state.withLock { $0.readers.count } }

  /// Calls the body with the topics that have changed, until the task is cancelled or the body throws.
  func follow(_ body: ([String]) async throws -> Void) async rethrows {
    let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.last += 1
      state.readers[state.last] = Reader(signal: signal)
      return state.last
    }
    defer { state.withLock { _ = $0.readers.removeValue(forKey: id) } }
    for await _ in stream {
      let topics = state.withLock { state in
        defer { state.readers[id]?.topics = [] }
        return state.readers[id]?.topics.sorted() ?? []
      }
      if !topics.isEmpty { try await body(topics) }
    }
  }
}
