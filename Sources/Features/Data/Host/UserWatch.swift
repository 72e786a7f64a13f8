import EventLoop
import Synchronization

/// Notifies of a possible sign-in or sign-out in any process, by watching the files that hold the tokens.
final class UserWatch: Sendable {
  private let folders = Mutex<Set<String>>([])
  private let additions = Signal()
  private let changes = Signal()

  /// Watches until the task is cancelled. Without a free inotify watch it reports nothing.
  func run() async {
    // The thread is started when the first caller waits.
    guard (try? await additions.wait(past: 0)) != nil,
      let loop = try? EventLoop.started(name: "annex-users", spin: .zero)
    else { return }
    defer { loop.stop() }
    await withDiscardingTaskGroup { group in
      group.addTask(executorPreference: loop) { await self.watch(on: loop) }
    }
  }

  private func watch(on loop: EventLoop) async {
    guard let watch = PathWatch(on: loop, changed: { [changes] in changes.send() }) else { return }
    defer { watch.stop() }
    while true {
      let count = additions.count
      watch.follow(folders.withLock { $0 }, for: .entries)
      // What happened before.
      changes.send()
      guard (try? await additions.wait(past: count)) != nil else { return }
    }
  }

  /// Calls `look` at once, and after each possible sign-in or sign-out.
  ///
  /// - Parameter folder: the folder of the tokens.
  /// - Throws: the error of `look`, which ends the watch; `CancellationError` when the task is cancelled.
  func look(in folder: String, _ look: () async throws -> Void) async throws {
    if folders.withLock({ $0.insert(folder).inserted }) { additions.send() }
    while true {
      let count = changes.count
      try await look()
      try await changes.wait(past: count)
    }
  }
}
