import EventLoop
import JSON
import JSONRPC
import Synchronization
import Testing

struct Text: Codable, Sendable, Equatable { var text: String }

/// A peer for tests: it answers a few methods, and remembers what it heard.
final class Peer: MessageHandler {
  struct Heard {
    var notifications: [Int] = []
    var events: [WireEvent] = []
    var cancelled = 0
  }

  let heard = Mutex(Heard())
  let gate = Gate()

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    switch message.method {
    case "echo":
      let text = try message.params.decode(Text.self)
      return MessageWork { Reply.encoding(text) }
    case "number":
      let number = try message.params.decode([Int].self)
      return MessageWork { Reply.encoding(number[0]) }
    case "wait":
      return MessageWork { [self] in
        do { try await gate.wait() } catch {
          heard.withLock { $0.cancelled += 1 }
          throw error
        }
        return .empty
      }
    case "keep":
      let params = try message.params.decode(JSONValue.self)
      return MessageWork { [self] in
        try await gate.wait()
        return Reply.encoding(params.weight)
      }
    case "stubborn":
      // Does not hear of a cancellation.
      return MessageWork { [self] in
        await Task { try? await gate.wait() }.value
        return .empty
      }
    case "note":
      let number = try message.params.decode([Int].self)
      heard.withLock { $0.notifications.append(number[0]) }
      return nil
    case "fail": return MessageWork { throw Oops() }
    default: throw .methodNotFound(message.method)
    }
  }

  func report(_ event: WireEvent, on connection: Connection) { heard.withLock { $0.events.append(event) } }

  struct Oops: Error {}
}

/// A gate at which tasks wait until it is opened or they are cancelled.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var lastID = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
  }
  private let state = Mutex(State())

  func wait() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.isOpen { return .success(()) }
          if state.cancelled.contains(id) { return .failure(CancellationError()) }
          state.waiting[id] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      waiting?.resume(throwing: CancellationError())
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  var count: Int { state.withLock { $0.waiting.count } }
}

/// Two connected ends on a loop of their own, both running; closed afterwards.
func withPair(
  _ configuration: Connection.Configuration = .init(),
  _ body: @Sendable (_ client: Connection, _ server: Peer) async throws -> Void
) async throws {
  let loop = EventLoop.onThread(name: "test")
  defer { loop.stop() }
  let (client, server) = Connection.pair(on: loop, configuration: configuration)
  let peer = Peer()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { _ = await client.run(handler: NoHandler()) }
    group.addTask { _ = await server.run(handler: peer) }
    do {
      try await body(client, peer)
    } catch {
      await client.close(.finished)
      await server.close(.finished)
      throw error
    }
    await client.close(.finished)
    await server.close(.finished)
  }
  await client.closeDescriptors()
  await server.closeDescriptors()
}

/// Waits for something that another task is about to make true.
func until(_ condition: @Sendable () -> Bool) async {
  // A test whose time is over is cancelled.
  while !condition(), !Task.isCancelled { await Task.yield() }
}
