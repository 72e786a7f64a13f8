import JSON
import Synchronization
import Testing

@testable import DataConnectEmulator

/// A client that gives frames and keeps what it is told.
final class StreamClient: StreamChannel {
  let told = Mutex<[(request: String?, members: String)]>([])
  private let frames: AsyncStream<StreamFrame>
  private let source: AsyncStream<StreamFrame>.Continuation
  /// The answers that wait until they may be sent; nil where none has to.
  private let held = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

  /// Whether there is no room for what is sent at once.
  private let isFull = Mutex(false)

  init() { (frames, source) = AsyncStream.makeStream() }

  /// Runs the body with a client on a stream of an emulator that serves operations.
  static func run(
    _ operations: String, _ body: (StreamClient, TestEmulator) async throws -> Void
  ) async throws {
    try await TestEmulator.run(operations) { emulator in
      let client = StreamClient()
      let session = StreamSession(emulator.emulator, client, service: "films")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await session.run() }
        do { try await body(client, emulator) } catch {
          client.hangUp()
          throw error
        }
        client.hangUp()
        try await group.waitForAll()
      }
    }
  }

  static func until(_ condition: () -> Bool) async { while !condition(), !Task.isCancelled { await Task.yield() } }

  /// Says a frame as it is, without the name of a connector.
  func say(_ frame: JSONObject) throws { source.yield(try StreamFrame(JSONValue.object(frame).description)) }

  func say(_ request: String, _ action: String, _ body: JSONValue = [:]) throws {
    let frame: JSONObject = [
      "requestId": .string(request), action: body,
      "name": "projects/demo/locations/us-east4/services/films/connectors/movies",
    ]
    try say(frame)
  }

  func hangUp() {
    hold(false)
    source.finish()
  }

  func next() async throws(RequestFailure) -> StreamFrame? {
    for await frame in frames { return frame }
    return nil
  }

  func send(_ members: String, _ request: String?) async {
    await withCheckedContinuation { continuation in
      let goesOn = held.withLock { held in
        held?.append(continuation)
        return held == nil
      }
      if goesOn { continuation.resume() }
    }
    _ = offer(members, request)
  }

  /// Answers wait from now on, or do so no longer.
  func hold(_ isHeld: Bool) {
    let waiting = held.withLock { held in
      defer { held = isHeld ? [] : nil }
      return held ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  var heldCount: Int { held.withLock { $0?.count ?? 0 } }

  func offer(_ members: String, _ request: String?) -> Bool {
    if isFull.withLock({ $0 }) { return false }
    told.withLock { $0.append((request, members)) }
    return true
  }

  /// There is no room for what is sent at once, or there is again.
  func fill(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

  /// What it was told of a request, in order.
  func answers(to request: String) -> [JSONValue] {
    told.withLock { $0.filter { $0.request == request }.map { (try? JSONCoding.parse("{\($0.members)}")) ?? .null } }
  }

  /// The answer to a request with this number.
  func answer(to request: String, _ number: Int = 1) async -> JSONValue {
    await Self.until { answers(to: request).count >= number }
    return answers(to: request).dropFirst(number - 1).first ?? .null
  }

  func refuse(_ failure: RequestFailure) { told.withLock { $0.append((nil, "refused \(failure.message)")) } }

  func count(_ text: String) -> Int { told.withLock { $0.count { $0.members.contains(text) } } }
}
