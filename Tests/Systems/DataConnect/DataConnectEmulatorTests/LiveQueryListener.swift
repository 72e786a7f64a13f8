import EventLoop
import JSON
import Synchronization

@testable import DataConnectEmulator

/// Somebody who keeps what arrives from subscribed queries.
final class LiveQueryListener: SubscriberSink {
  private let told = Mutex<[(request: String, members: String)]>([])
  let ended = Mutex<[String]>([])
  private let arrived = Signal()

  func deliver(_ members: String, to request: String) {
    told.withLock { $0.append((request, members)) }
    arrived.send()
  }

  func end(_ failure: RequestFailure, of request: String) {
    ended.withLock { $0.append("\(request) \(failure.code.rawValue)") }
    arrived.send()
  }

  /// The requests with the first member of what they got.
  var frames: [String] { told.withLock { $0.map { "\($0.request) \($0.members.prefix { $0 != "," })" } } }

  /// The requests with the messages of the errors that they got.
  var messages: [String] {
    told.withLock { told in
      told.map { request, members in
        let errors = (try? JSONCoding.parse("{\(members)}"))?["errors"]?.arrayValue ?? []
        return ([request] + errors.compactMap { $0["message"]?.stringValue }).joined(separator: " ")
      }
    }
  }

  /// The tags of the results, in their order.
  var etags: [String] {
    told.withLock { $0.compactMap { (try? JSONCoding.parse("{\($0.members)}"))?["dataEtag"]?.stringValue } }
  }

  func count(_ wanted: Int) async throws {
    while true {
      let count = arrived.count
      if told.withLock({ $0.count }) + ended.withLock({ $0.count }) >= wanted { return }
      try await arrived.wait(past: count)
    }
  }
}

extension LiveQueries {
  /// Runs subscribed queries with what stands for a database, while the body runs.
  static func running(
    _ mostRunning: Int, _ execute: @escaping Execution, _ body: (LiveQueries) async throws -> Void
  ) async throws {
    let queries = LiveQueries(mostRunning: mostRunning)
    let loop = EventLoop.onThread(name: "test-live", spin: .zero)
    defer { loop.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await queries.run(on: loop, execute) }
      try await body(queries)
      group.cancelAll()
    }
  }
}
