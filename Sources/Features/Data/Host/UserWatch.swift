import EventLoop
import Synchronization

/// Tells when somebody may have signed in or out, in whatever process: when a file changes in which tokens are kept.
final class UserWatch: Sendable {
  private let folders = Mutex<Set<String>>([])
  private let additions = Signal()
  private let changes = Signal()

  /// Watches, until the task is cancelled. Where the kernel has no more watches nothing is told.
  func run() async {
    // A thread of its own, once somebody waits.
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

  /// Looks at once, and whenever somebody may have signed in or out.
  ///
  /// - Parameter folder: where the tokens are.
  /// - Throws: what the look throws, which ends it; `CancellationError` as soon as the task is cancelled.
  func look(in folder: String, _ look: () async throws -> Void) async throws {
    if folders.withLock({ $0.insert(folder).inserted }) { additions.send() }
    while true {
      let count = changes.count
      try await look()
      try await changes.wait(past: count)
    }
  }
}
