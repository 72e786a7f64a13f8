import EventLoop
import ExtensionProtocol
import Synchronization

/// The users' requests that one process has open, and what services do for each of them: it ends with its request.
package final class RequestWork: Sendable {
  private struct State {
    /// Each piece of work of a request, finished when the request ends.
    var open: [String: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    var last: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A request begins; its number is one that no other request of the process has had.
  package func begin(_ requestID: String) {
    state.withLock { $0.open[requestID] = [:] }
  }

  /// A request ends, and what is done for it.
  package func end(_ requestID: String) {
    let work = state.withLock { $0.open.removeValue(forKey: requestID) ?? [:] }
    for end in work.values { end.finish() }
  }

  /// Runs work until it is done, or until its request ends.
  ///
  /// - Throws: `requestUnknown` when the request is not open, `cancelled` when it ends; otherwise the error of the
  ///   work.
  func whileOpen<Value: Sendable>(
    _ requestID: String, on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (end, continuation) = AsyncStream.makeStream(of: Void.self)
    let id: UInt64? = state.withLock { state in
      guard state.open[requestID] != nil else { return nil }
      state.last += 1
      state.open[requestID]?[state.last] = continuation
      return state.last
    }
    guard let id else {
      throw ExtensionError(.requestUnknown, "The request \(requestID) is not open.")
    }
    defer { state.withLock { _ = $0.open[requestID]?.removeValue(forKey: id) } }
    return try await interruptibly(by: end, on: loop, work) { _ in
      ExtensionError(.cancelled, "The request \(requestID) has ended.")
    }
  }
}

extension ExtensionProcess {
  /// A request of the user's begins: what services do for it (``Caller/whileOpen(_:_:)``) ends with it.
  ///
  /// - Parameter requestID: one that no other request of the process has had.
  public func beginRequest(_ requestID: String) { requests.begin(requestID) }

  /// A request of the user's ends.
  public func endRequest(_ requestID: String) { requests.end(requestID) }

  /// Whether the connection to the extension has ended, on either side.
  public var hasEnded: Bool { connection.closeReason != nil }
}

extension Caller {
  /// Runs work that belongs to a user's request, and cancels it when the request ends.
  ///
  /// - Parameters:
  ///   - requestID: the request; without one, nothing ends the work early.
  ///   - work: is cancelled when the request ends.
  /// - Throws: `requestUnknown` when the request is not open, `cancelled` when it ends; else what the work throws.
  public func whileOpen<Value: Sendable>(
    _ requestID: String?, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let requestID else { return try await work() }
    return try await process.requests.whileOpen(requestID, on: process.loop, work)
  }
}

/// Runs work until it is done, or until something else says that it is over, and cancels it then.
///
/// - Parameters:
///   - signals: the first value, or the end, says so.
///   - reason: what is thrown for that value; for `nil` when there was none.
/// - Throws: what the work throws, or the reason.
func interruptibly<Value: Sendable, Signal: Sendable>(
  by signals: AsyncStream<Signal>, on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value,
  reason: @escaping @Sendable (Signal?) -> any Error
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask(executorPreference: loop) { try await work() }
    group.addTask(executorPreference: loop) {
      for await signal in signals { throw reason(signal) }
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else { throw reason(nil) }
    return value
  }
}

/// Requests that an extension works on while no call waits for an answer: between accepting one and completing it.
package final class OpenWork: Sendable {
  private struct State {
    var last: Int64 = 0
    var open: [Int64] = []
  }

  private let state = Mutex(State())

  /// - Returns: what ``end(_:)`` takes.
  func begin() -> Int64 {
    state.withLock {
      // Below zero, where no call's id is.
      $0.last -= 1
      $0.open.append($0.last)
      return $0.last
    }
  }

  func end(_ work: Int64) {
    state.withLock { state in state.open.removeAll { $0 == work } }
  }

  /// The one that has been open longest.
  var oldest: Int64? { state.withLock { $0.open.first } }
}
