import CLinux
import Synchronization

/// A job, and how it is to be run. The runtime compares the executor on which a job runs with the one that the code
/// wants; when they differ it goes through the queue once more.
struct LoopJob {
  let job: UnownedJob
  /// Of an actor that lives on the loop; else of a task that prefers it.
  let isIsolated: Bool
}

extension EventLoop {
  /// Takes a job of a task that prefers the loop. From any thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    take(LoopJob(job: UnownedJob(job), isIsolated: false))
  }

  func take(_ job: LoopJob) {
    if isOnLoop {
      jobs.append(job)
    } else {
      inbox.withLock { $0.jobs.append(job) }
      announceMail()
    }
  }

  /// The executor of actors that live on the loop. The actor must keep the loop alive.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe serial.asUnownedSerialExecutor() }
}

/// The side of a loop that actors live on.
///
/// `@unchecked Sendable`, because: it holds nothing but its loop, which is Sendable, set once while the loop is made.
/// The reference is unmanaged, as the loop owns its executor, and whoever reaches the executor holds the loop.
@safe
final class LoopSerialExecutor: SerialExecutor, @unchecked Sendable {
  private let loop = UnsafeMutablePointer<Unmanaged<EventLoop>>.allocate(capacity: 1)

  deinit { unsafe loop.deallocate() }

  @unsafe func attach(_ loop: Unmanaged<EventLoop>) { unsafe self.loop.initialize(to: loop) }

  private var isOnLoop: Bool { unsafe loop.pointee._withUnsafeGuaranteedRef { $0.isOnLoop } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = LoopJob(job: UnownedJob(job), isIsolated: true)
    unsafe loop.pointee._withUnsafeGuaranteedRef { $0.take(job) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { precondition(isOnLoop, "code isolated to an event loop ran on another thread") }

  func isIsolatingCurrentContext() -> Bool? { isOnLoop }
}

extension EventLoop {
  /// Has the main actor live on this loop, in a program whose main thread runs it: nobody else serves that actor there.
  ///
  /// For programs without an asynchronous `main`, before their first use of the main actor. The loop is never freed.
  package func serveMainActor() {
    _ = unsafe Unmanaged.passRetained(self)
    let (identity, implementation) = unsafe unsafeBitCast(
      asUnownedSerialExecutor(), to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    unsafe clinux_set_main_executor(identity, implementation)
  }
}
