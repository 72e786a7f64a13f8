import EventLoop
import GroupStore
import PostgreSQL
import Synchronization

/// Receives announcements of other hosts' writes on a connection of its own. An announcement is only a hint: a regular
/// query finds writes whose announcement was lost.
final class ChangeListener: Sendable {
  /// The state of the listener's thread. It does not hold the store, so that the store can be released.
  private struct Job: Sendable {
    let target: PostgreSQLTarget
    let channel: String
    let interval: Duration
    let recent: RecentChanges
    let writers: Writers
    let end: Signal
  }

  private let job: Job
  private let isStarted = Mutex(false)

  /// - Parameter channel: as an identifier.
  init(
    _ target: PostgreSQLTarget, channel: String, every interval: Duration, _ recent: RecentChanges, _ writers: Writers
  ) {
    job = Job(
      target: target, channel: channel, interval: interval, recent: recent, writers: writers, end: Signal())
  }

  deinit { job.end.send() }

  /// Listens from now on; does nothing when it does so already.
  ///
  /// - Throws: `unavailable` when the process has no descriptor or no thread left; the next call tries again.
  func start() throws(GroupStoreError) {
    try isStarted.withLock { isStarted throws(GroupStoreError) in
      if isStarted { return }
      let loop: EventLoop
      do throws(EventLoopError) { loop = try EventLoop(opening: .zero) } catch { throw Self.noThread("\(error)") }
      let failure = SystemThread.start(name: "annex-pg-watch", stack: 1 << 20) { [job] in
        loop.run { await Self.follow(job, on: loop) }
      }
      if failure != 0 { throw Self.noThread("No thread is left.") }
      isStarted = true
    }
  }

  private static func noThread(_ reason: String) -> GroupStoreError {
    .unavailable(
      "Writes of other hosts cannot be heard of. \(reason)",
      recovery: "Raise the limits of descriptors and threads (ulimit -n, ulimit -u).", isRetryable: true)
  }

  /// Until the store ends.
  private static func follow(_ job: Job, on loop: EventLoop) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) {
        while !Task.isCancelled {
          try? await listen(job, on: loop)
          // Watchers find out themselves whether the store can be asked.
          job.recent.addForeign()
          try? await loop.sleep(for: job.interval)
        }
      }
      group.addTask(executorPreference: loop) { try? await job.end.wait(past: 0) }
      await group.next()
      group.cancelAll()
    }
  }

  private static func listen(_ job: Job, on loop: EventLoop) async throws(PostgreSQLError) {
    let connection = try await PostgreSQLConnection.connect(to: job.target, on: loop, within: .seconds(3))
    try await connection.run(script: "LISTEN \(job.channel)", within: .seconds(3))
    // Other hosts may have written before the server registered the listener.
    job.recent.addForeign()
    while !Task.isCancelled {
      let notifications = try await connection.notifications(within: job.interval)
      if notifications.isEmpty || notifications.contains(where: { !job.writers.isOwn($0.payload) }) {
        job.recent.addForeign()
      }
    }
  }
}
