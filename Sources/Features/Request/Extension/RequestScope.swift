import Contracts
import ExtensionProtocol
import JSON
import Synchronization

/// The extension's data for one request: its params, and the work that remains after its end.
package final class RequestScope: Sendable {
  typealias Work = @Sendable () async -> Void

  private struct State {
    var afterwards: [Work] = []
    /// Cancels the work that is going on.
    var expire: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 0
    var values: [String: String] = [:]
  }

  let begin: Request.Begin
  private let state = Mutex(State())

  init(begin: Request.Begin) { self.begin = begin }

  /// The user's settings in the compose sheet, by the item's id.
  var values: [String: String] { state.withLock { $0.values } }

  func choose(_ value: String?, for id: String) { state.withLock { $0.values[id] = value } }

  func add(_ work: @escaping Work) { state.withLock { $0.afterwards.append(work) } }

  var hasWork: Bool { state.withLock { !$0.afterwards.isEmpty } }

  /// Cancels the remaining work when the time limit has passed.
  func expire() {
    for cancel in state.withLock({ Array($0.expire.values) }) { cancel() }
  }

  /// Runs the work that was put off until the end of the request.
  func finish() async {
    let work = state.withLock { state in
      defer { state.afterwards = [] }
      return state.afterwards
    }
    await expiring { for piece in work { await piece() } }
  }

  /// Runs work and cancels it when the time limit has passed.
  func expiring(_ work: @escaping Work) async {
    let (expired, continuation) = AsyncStream.makeStream(of: Void.self)
    let id = state.withLock { state in
      state.next += 1
      state.expire[state.next] = { continuation.finish() }
      return state.next
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { for await _ in expired {} }
      _ = await group.next()
      group.cancelAll()
    }
    state.withLock { _ = $0.expire.removeValue(forKey: id) }
  }
}
