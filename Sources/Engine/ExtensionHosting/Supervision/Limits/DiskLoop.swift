import EventLoop
import Synchronization

/// A thread for work that waits for the disk. It begins with the first piece of work and ends with its owner. Where the
/// system has no thread or no descriptor left, the work is done where it is asked for.
final class DiskLoop: Sendable {
  private let loop = Mutex<EventLoop?>(nil)

  deinit { loop.withLock { $0 }?.stop() }

  /// Runs the action on the thread, after those before it.
  func run(_ action: @escaping @Sendable () -> Void) {
    let loop = loop.withLock { loop -> EventLoop? in
      if let loop { return loop }
      let new = try? EventLoop.started(name: "annex-disk", spin: .zero)
      loop = new
      return new
    }
    if let loop { loop.execute(action) } else { action() }
  }
}
