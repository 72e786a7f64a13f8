import CLinux
import EventLoop
import ExtensionProtocol
import Files
import Glibc
import Synchronization

/// A program that runs on behalf of a command: its input is empty, its outputs are those of the command.
struct ChildCommand {
  let path: String
  let arguments: [String]
  let environment: [String: String]
  /// The descriptor that its standard output leads to.
  var output = STDOUT_FILENO

  /// Runs it to its end. Cancelling the task asks it to end, and ends it by force some seconds later.
  ///
  /// - Returns: the exit status; 128 and the number for a signal.
  /// - Throws: `launchFailed` when it cannot be started.
  func run(on loop: EventLoop) async throws -> Int32 {
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard null >= 0 else { throw ExtensionError(.launchFailed, "Cannot open /dev/null: \(SystemError.last).") }
    defer { close(null) }
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    let map = [null, output, STDERR_FILENO].enumerated().map {
      clinux_descriptor(source: $0.element, target: Int32($0.offset))
    }
    var pid: pid_t = 0
    var pidfd: Int32 = -1
    let failure = clinux_spawn(path, &argv, &envp, map, map.count, &pid, &pidfd)
    guard failure == 0 else {
      throw ExtensionError(.launchFailed, "Cannot run \(path): \(SystemError(failure)).")
    }
    let exit = ChildExit(pidfd, on: loop)
    defer { close(pidfd) }
    let watch = try loop.watch(pidfd, for: .reading) { _ in exit.happened() }
    await withTaskCancellationHandler {
      await exit.wait()
    } onCancel: {
      loop.execute { exit.stop() }
    }
    loop.unwatch(watch)
    var end: Int32 = 0
    var status: Int32 = 0
    guard clinux_pidfd_reap(pidfd, 1, &end, &status) == 0 else { return 1 }
    return end == Int32(CLINUX_EXITED.rawValue) ? status : 128 + status
  }
}

/// The end of a child, which somebody waits for and may hasten.
private final class ChildExit: Sendable {
  private struct State {
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
    var timer: TimerToken?
  }

  /// From the request to end to the end by force.
  private static let grace = Duration.seconds(5)

  private let pidfd: Int32
  private let loop: EventLoop
  private let state = Mutex(State())

  init(_ pidfd: Int32, on loop: EventLoop) {
    self.pidfd = pidfd
    self.loop = loop
  }

  /// Waits for the end, also in a task that was cancelled: what was started is seen to its end.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiter = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  /// On the loop's thread, when the process has ended.
  func happened() {
    let (waiter, timer) = state.withLock { state in
      defer { (state.isOver, state.waiter, state.timer) = (true, nil, nil) }
      return (state.waiter, state.timer)
    }
    if let timer { loop.cancel(timer) }
    waiter?.resume()
  }

  /// On the loop's thread. Once the process has ended its descriptor is closed, and the number may be another's.
  func stop() {
    guard !state.withLock({ $0.isOver }) else { return }
    _ = clinux_pidfd_signal(pidfd, SIGTERM)
    let timer = loop.schedule(after: Self.grace) { [self] in
      if !state.withLock({ $0.isOver }) { _ = clinux_pidfd_signal(pidfd, SIGKILL) }
    }
    state.withLock { $0.timer = timer }
  }
}
