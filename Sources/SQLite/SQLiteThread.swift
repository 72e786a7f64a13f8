internal import CSQLite
internal import EventLoop
internal import Glibc

/// A serial executor on one named thread: the place where blocking calls of SQLite belong.
///
/// An actor that owns a `Database` keeps a `SQLiteThread` and returns it as its executor:
/// ```swift
/// package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
/// ```
/// The thread starts with the object and ends when the last reference to it is gone.
package final class SQLiteThread: SerialExecutor {
  private let queue: JobQueue

  /// - Parameter name: what tools such as `top -H` show; cut after 15 bytes.
  package init(name: String) {
    queue = JobQueue(name: name)
    queue.start()
  }

  deinit {
    queue.stop()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), on: self)
  }

  /// Stops the program when called from another thread.
  package func checkIsolated() {
    precondition(queue.isCurrent, "not on the thread of this executor")
  }

  package func isIsolatingCurrentContext() -> Bool? {
    queue.isCurrent
  }
}

/// The jobs of one `SQLiteThread`.
///
/// `@unchecked Sendable`: `jobs`, `isStopped` and `thread` are touched only between lock and unlock of `mutex`, which
/// is allocated once and never moves; `name` is constant.
@safe
private final class JobQueue: @unchecked Sendable {
  private let name: String
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// A job and the executor it runs on: the queue keeps the executor alive until the job is done.
  private var jobs: [(UnownedJob, SQLiteThread)] = []
  private var isStopped = false
  private var thread: pthread_t?

  init(name: String) {
    self.name = name
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  var isCurrent: Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
  }

  /// The thread holds the queue, never the executor, so that the executor's end can stop it.
  func start() {
    let code = SystemThread.start(name: name) { self.run() }
    precondition(code == 0, "no thread for the database: error \(code)")
  }

  func stop() {
    unsafe pthread_mutex_lock(mutex)
    isStopped = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  func append(_ job: UnownedJob, on executor: SQLiteThread) {
    unsafe pthread_mutex_lock(mutex)
    jobs.append((job, executor))
    unsafe pthread_mutex_unlock(mutex)
    // After the unlock: on one processor the thread would otherwise wake only to wait for the lock.
    unsafe pthread_cond_signal(condition)
  }

  private func run() {
    unsafe pthread_mutex_lock(mutex)
    thread = pthread_self()
    while true {
      while jobs.isEmpty, !isStopped { unsafe pthread_cond_wait(condition, mutex) }
      if jobs.isEmpty { break }
      performNext()
      unsafe pthread_mutex_lock(mutex)
    }
    unsafe pthread_mutex_unlock(mutex)
  }

  /// The jobs may hold the last reference to their executor, whose end locks the queue: they are let go before it is
  /// locked again.
  private func performNext() {
    let ready = jobs
    jobs = []
    unsafe pthread_mutex_unlock(mutex)
    for (job, executor) in ready { unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
  }
}
