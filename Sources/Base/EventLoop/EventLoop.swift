import CLinux
import Synchronization

/// One thread that waits for the kernel and runs Swift jobs: the edge where descriptors meet Swift concurrency.
///
/// It is a task executor (a task may prefer it) and has a serial executor (an actor may live on it), so a caller, a
/// connection and a handler can share one thread, and a round trip costs no hop. Work on the loop must not block.
///
/// A loop runs either on a thread of its own (`onThread`) or on the calling thread (`run`). Descriptors and timers
/// belong to the loop's thread; `enqueue`, `execute` and `stop` may be called from any thread.
///
/// `@unchecked Sendable`, because: `inbox`, `sleeping`, `hasMail`, `stopping` and `thread` are locked or atomic;
/// everything else is read and written on the loop's thread only, before whose start nobody else holds the loop, and
/// every entrance to it checks `isOnLoop`.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
  /// How long a loop polls before it sleeps when work came in lately; zero never polls. 25 us saves the wake-up of
  /// another processor, the largest part of a round trip between two.
  package static let defaultSpin = Duration.microseconds(25)

  /// Bytes of freed memory that the process may keep: a few large messages' worth.
  static let keptMemory: Int32 = 8 << 20

  struct Inbox {
    var jobs: [LoopJob] = []
    var actions: [@Sendable () -> Void] = []
  }

  let poller: Poller
  let serial = LoopSerialExecutor()
  let inbox = Mutex(Inbox())
  let hasMail = Atomic<Bool>(false)
  let sleeping = Atomic<Bool>(false)
  let stopping = Atomic<Bool>(false)
  let thread = Atomic<UInt>(0)

  // The loop's thread only.
  var jobs: [LoopJob] = []
  var watches = WatchTable()
  var timers = TimerHeap()
  var endOfTurn: [any TurnObserver] = []
  var spin: AdaptiveSpin
  /// See ``takeSpare()``.
  var spare = SpareMemory()
  private var notifier: PathNotifier?
  private var cachedNow: UInt64 = 0

  /// A loop that runs on no thread yet.
  ///
  /// - Parameter spin: how long to poll before sleeping while there is work; `.zero` for hosts that mind their battery.
  /// - Throws: `EventLoopError` when the process or the machine has no descriptor left.
  package init(opening spin: Duration) throws(EventLoopError) {
    poller = try Poller()
    self.spin = AdaptiveSpin(limit: spin)
    clinux_ignore_sigpipe()
    clinux_keep_freed_memory(Self.keptMemory)
    unsafe serial.attach(Unmanaged.passUnretained(self))
  }

  /// The same for tests and benchmarks: without a descriptor they end.
  package convenience init(spin: Duration = EventLoop.defaultSpin) {
    do throws(EventLoopError) {
      try self.init(opening: spin)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  deinit { poller.close() }

  /// Whether the calling code runs on this loop's thread.
  package var isOnLoop: Bool { thread.load(ordering: .relaxed) == clinux_thread_current() }

  /// Traps when the calling code runs on another thread: a broken invariant of ours.
  @inline(__always) func requireLoop() {
    precondition(isOnLoop || thread.load(ordering: .relaxed) == 0, "called outside of the event loop's thread")
  }

  /// Monotonic nanoseconds, read at most once per turn of the loop.
  package var now: UInt64 {
    requireLoop()
    if cachedNow == 0 { cachedNow = clinux_monotonic_nanoseconds() }
    return cachedNow
  }

  /// Monotonic nanoseconds, from any thread: on the loop's those of its turn, as the kernel's clock costs 40 ns a look.
  package var time: UInt64 { isOnLoop ? now : clinux_monotonic_nanoseconds() }

  func forgetTime() { cachedNow = 0 }

  /// What the watches of paths on this loop share; `nil` when the kernel has no more of it. On the loop's thread.
  func pathNotifier() -> PathNotifier? {
    requireLoop()
    if notifier == nil { notifier = PathNotifier(on: self) }
    return notifier
  }

  /// Runs `action` on the loop's thread, soon. From any thread.
  package func execute(_ action: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.actions.append(action) }
    announceMail()
  }

  /// Calls `observer` once, after the jobs of this turn and before the loop waits.
  package func atEndOfTurn(_ observer: any TurnObserver) {
    requireLoop()
    endOfTurn.append(observer)
  }

  /// Lets `run` return after the jobs that are ready now. From any thread.
  ///
  /// Tasks that still wait on the loop never continue: end them first.
  package func stop() {
    stopping.store(true, ordering: .sequentiallyConsistent)
    wake()
  }

  func announceMail() {
    hasMail.store(true, ordering: .sequentiallyConsistent)
    if !isOnLoop { wake() }
  }

  /// Only a loop that said it sleeps is woken, and only once.
  private func wake() {
    if sleeping.load(ordering: .sequentiallyConsistent),
      sleeping.exchange(false, ordering: .sequentiallyConsistent)
    {
      poller.wake()
    }
  }
}

/// Something that gathers work during a turn of the loop and does it once at its end, as a connection writes.
package protocol TurnObserver: AnyObject {
  /// On the loop's thread, after the jobs of the turn.
  func turnEnded()
}

/// An event loop with a thread of its own, which ends with the last reference, after what was asked of it before. Whatever
/// lives on the loop holds it.
package final class LoopThread: Sendable {
  package let loop: EventLoop

  /// - Parameters: as for ``EventLoop/started(name:spin:stack:)``.
  /// - Throws: why the system gives no thread or no descriptor.
  package init(name: String, spin: Duration = EventLoop.defaultSpin) throws(EventLoopError) {
    loop = try EventLoop.started(name: name, spin: spin)
  }

  deinit { loop.execute { [loop] in loop.stop() } }
}

/// Why there is no event loop: descriptors, threads or memory have run out.
package struct EventLoopError: Error, Equatable, CustomStringConvertible {
  /// The call of the system that failed.
  package let call: String
  /// `EMFILE` and `ENFILE` for descriptors, `EAGAIN` for threads, `ENOMEM`, `ENOSPC` for watches.
  package let errno: Int32

  init(_ call: String, errno: Int32) {
    self.call = call
    self.errno = errno
  }

  /// One sentence.
  package var description: String { "There is no event loop: \(call) failed with errno \(errno)." }
}
