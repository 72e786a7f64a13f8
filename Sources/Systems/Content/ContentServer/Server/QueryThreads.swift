internal import EventLoop
internal import Synchronization

/// Threads that queries run on, so that a long one keeps neither the network nor an answer waiting that is there
/// already.
final class QueryThreads: Sendable {
  /// Bytes of stack: a query may be nested deeply.
  private static let stack = 8 << 20

  private let loops: [EventLoop]
  private let turn = Atomic<Int>(0)

  /// - Throws: `EventLoopError` when no descriptor or no thread is left.
  init(count: Int) throws(EventLoopError) {
    var loops: [EventLoop] = []
    for _ in 0..<max(1, count) {
      do throws(EventLoopError) {
        loops.append(try EventLoop.started(name: "content-query", stack: Self.stack))
      } catch {
        for loop in loops { loop.stop() }
        throw error
      }
    }
    self.loops = loops
  }

  /// One after the other.
  func next() -> EventLoop {
    let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[Int(UInt(bitPattern: turn) % UInt(loops.count))]
  }

  func stop() { for loop in loops { loop.stop() } }
}
