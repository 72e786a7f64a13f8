import Contracts
import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization

/// Holds the next result for one subscriber: only ever the newest.
final class SubscriptionFeed: Sendable {
  private enum End: Sendable {
    case finished
    case failed(any Error)
  }

  private enum Step: Sendable {
    case update(DataContract.Outcome)
    /// Nothing has come for a while.
    case beat
    case end(End)
  }

  private struct State {
    var latest: DataContract.Outcome?
    var wantsBeat = false
    var end: End?
  }

  private let state = Mutex(State())
  private let news = Signal()

  /// Less than a reader waits for.
  private static let beat = Duration.seconds(10)
  /// The largest text that goes as a value; a stream takes 64 KiB.
  private static let longestValue = 60 << 10

  /// Passes results on as fast as the subscriber reads, until they end.
  static func pass(
    of call: DataCall, by carrier: any DataCarrier, to stream: OutgoingStream, on loop: EventLoop
  ) async throws {
    let feed = SubscriptionFeed()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask(executorPreference: loop) {
        do {
          try await carrier.follow(call) { result in feed.change { $0.latest = result } }
          feed.change { $0.end = .finished }
        } catch {
          feed.change { $0.end = .failed(error) }
        }
      }
      group.addTask(executorPreference: loop) {
        while true {
          try await loop.sleep(for: Self.beat)
          feed.change { $0.wantsBeat = true }
        }
      }
      while true {
        switch try await feed.next() {
        case .update(let outcome): try await send(outcome, to: stream)
        case .beat: try await stream.send(value: .null)
        case .end(.finished): return
        case .end(.failed(let error)): throw error
        }
      }
    }
  }

  private func change(_ body: @Sendable (inout State) -> Void) {
    state.withLock { body(&$0) }
    news.send()
  }

  private func next() async throws -> Step {
    while true {
      let count = news.count
      let step: Step? = state.withLock { state in
        if let latest = state.latest {
          state.latest = nil
          state.wantsBeat = false
          return .update(latest)
        }
        if let end = state.end { return .end(end) }
        if state.wantsBeat {
          state.wantsBeat = false
          return .beat
        }
        return nil
      }
      if let step { return step }
      try await news.wait(past: count)
    }
  }

  private static func send(_ outcome: DataContract.Outcome, to stream: OutgoingStream) async throws {
    let value = try JSONCoding.value(of: outcome)
    let text = JSONCoding.text(of: value)
    let size = text.utf8.count
    if size <= longestValue { return try await stream.send(value: value) }
    guard size <= DataContract.updateLimit else {
      throw ExtensionError(
        .limitExceeded, "A result has \(size) bytes, more than \(DataContract.updateLimit).",
        recovery: "Ask for fewer rows, with limit and offset.",
        details: ["limit": .integer(Int64(DataContract.updateLimit))])
    }
    try await stream.send(value: ["bytes": .integer(Int64(size))])
    try await stream.send(Array(text.utf8))
  }
}
