import EventLoop
import Synchronization

/// A thread for work that waits for the disk. It begins with the first piece of work and ends with its owner.
final class DiskLoop: Sendable {
  private let loop = Mutex<EventLoop?>(nil)

  deinit { loop.withLock { $0 }?.stop() }

  /// Runs the action on the thread, after those before it.
  func run(_ action: @escaping @Sendable () -> Void) {
    let loop = loop.withLock { loop in
      if let loop { return loop }
      let new = EventLoop.onThread(name: "annex-disk", spin: .zero)
      loop = new
      return new
    }
    loop.execute(action)
  }
}
