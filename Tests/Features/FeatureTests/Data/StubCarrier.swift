import JSONRPC
import EventLoop
import ExtensionHosting
import HostServices
import DataServices
import JSON
import Synchronization

/// Answers as a test says, and keeps what it was asked.
final class StubCarrier: DataCarrier {
  typealias Answer = @Sendable (DataCall) async throws -> DataContract.Outcome

  let location: String?
  let allowsEmulator: Bool
  private let answer: Answer
  private let asked = Mutex<[DataCall]>([])
  private let results = Mutex<[DataContract.Outcome]>([])
  private let news = Signal()
  private let readers = Mutex(0)
  private let failure = Mutex<ExtensionError?>(nil)

  init(
    location: String? = nil, allowsEmulator: Bool = false,
    answer: @escaping Answer = { _ in DataContract.Outcome(data: ["movies": []]) }
  ) {
    (self.location, self.allowsEmulator, self.answer) = (location, allowsEmulator, answer)
  }

  var calls: [DataCall] { asked.withLock { $0 } }
  /// How many follow the query.
  var followers: Int { readers.withLock { $0 } }

  /// Gives the followers another result.
  func publish(_ outcome: DataContract.Outcome) {
    results.withLock { $0.append(outcome) }
    news.send()
  }

  /// Ends what is followed.
  func fail(_ error: ExtensionError) {
    failure.withLock { $0 = error }
    news.send()
  }

  /// Waits until as many follow the query as are wanted.
  func waitForFollowers(_ wanted: Int) async throws {
    while true {
      let count = news.count
      if followers == wanted { return }
      try await news.wait(past: count)
    }
  }

  func execute(_ call: DataCall) async throws -> DataContract.Outcome {
    asked.withLock { $0.append(call) }
    return try await answer(call)
  }

  func follow(_ call: DataCall, _ take: @escaping @Sendable (DataContract.Outcome) -> Void) async throws {
    asked.withLock { $0.append(call) }
    readers.withLock { $0 += 1 }
    news.send()
    defer {
      readers.withLock { $0 -= 1 }
      news.send()
    }
    var next = 0
    while true {
      let count = news.count
      let fresh = results.withLock { Array($0.dropFirst(next)) }
      next += fresh.count
      for outcome in fresh { take(outcome) }
      if let error = failure.withLock({ $0 }) { throw error }
      try await news.wait(past: count)
    }
  }
}
