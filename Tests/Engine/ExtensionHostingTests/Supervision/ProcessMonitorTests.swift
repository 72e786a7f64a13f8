import EventLoop
import ExtensionProtocol
import Glibc
import Sandbox
import Synchronization
import Testing

@testable import ExtensionHosting

/// How often somebody was told that a process has gone.
private final class Tally: Sendable {
  private let number = Atomic(0)
  var count: Int { number.load(ordering: .acquiring) }
  func add() { number.add(1, ordering: .acquiringAndReleasing) }
}

@Suite(.timeLimit(.minutes(1)))
struct `A process that does not end when it is ended` {
  @Test func `is reaped when it does, after everybody has given it up`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let process = try LaunchPlan.unsafeNoSandbox(executable: "/bin/sleep", arguments: ["300"]).spawn()
    let monitor = ProcessMonitor(process, id: "com.example.slow", loop: loop, log: NoLog())
    let told = Tally()
    try await monitor.start { told.add() }
    #expect(await monitor.exit(within: .milliseconds(1)) == .unknown)
    await monitor.release()
    // Nobody has reaped it, so the number is still its own.
    #expect(kill(process.pid, SIGKILL) == 0)
    while kill(process.pid, 0) == 0 { await Task.yield() }
    #expect(await monitor.exit(within: .seconds(20)) == .crashed(SIGKILL))
    #expect(told.count == 0, "who has given it up is told nothing")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The end of a process` {
  @Test func `is told once to whoever has not given it up`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let process = try LaunchPlan.unsafeNoSandbox(executable: "/bin/false", arguments: []).spawn()
    let monitor = ProcessMonitor(process, id: "com.example.brief", loop: loop, log: NoLog())
    let told = Tally()
    try await monitor.start { told.add() }
    #expect(await monitor.exit(within: .seconds(20)) == .exited(1))
    #expect(told.count == 1)
    await monitor.release()
    #expect(told.count == 1)
  }
}

/// Somebody else who waits for a descriptor.
private actor OtherWatcher {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private var watch: Watch?

  init(on loop: EventLoop) { self.loop = loop }

  func begin(_ descriptor: Int32) throws { watch = try loop.watch(descriptor, for: .reading) { _ in } }

  func end() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A process that cannot be watched` {
  @Test func `is left to its caller, with no part of it watched`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let process = try LaunchPlan.unsafeNoSandbox(executable: "/bin/sleep", arguments: ["300"]).spawn()
    // The kernel refuses to watch a descriptor for a second time.
    let other = OtherWatcher(on: loop)
    try await other.begin(process.pidfd)
    let monitor = ProcessMonitor(process, id: "com.example.refused", loop: loop, log: NoLog())
    let error = await #expect(throws: ExtensionError.self) { try await monitor.start() }
    #expect(error?.code == .launchFailed && error?.message.contains("com.example.refused") == true)
    await other.end()
    for descriptor in [process.standardError, process.pidfd] {
      try await other.begin(descriptor)
      await other.end()
    }
    process.discard()
    #expect(kill(process.pid, 0) == -1 && errno == ESRCH)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A process that is watched` {
  private let loop = EventLoop.onThread(name: "test")

  private func monitor(
    _ script: String, _ log: any LogSink = NoLog(), environment: [String: String] = [:]
  ) async throws -> (ProcessMonitor, SandboxedProcess) {
    let process = try LaunchPlan.unsafeNoSandbox(
      executable: "/bin/sh", arguments: ["-c", script], environment: environment
    ).spawn()
    let monitor = ProcessMonitor(process, id: "com.example.watched", loop: loop, log: log)
    try await monitor.start()
    return (monitor, process)
  }

  @Test func `has its errors kept and told line by line, also the last without an end`() async throws {
    defer { loop.stop() }
    let log = KeptLog(from: .info)
    let (monitor, _) = try await monitor("echo one >&2; printf two >&2", log)
    #expect(await monitor.exit(within: .seconds(20)) == .exited(0))
    await monitor.streamsEnd(within: .seconds(20))
    #expect(await monitor.standardError == ["one", "two"] && log.lines == ["stderr", "stderr"])
    await monitor.release()
  }

  @Test func `has the first megabyte of its errors told, and the last lines kept`() async throws {
    defer { loop.stop() }
    let log = KeptLog(from: .info)
    let script = "i=0; while [ $i -lt 300 ]; do echo \"$A\"; i=$((i+1)); done >&2; echo last >&2"
    // Lines of 5,001 bytes, and at most 16 KiB are read at a time.
    let line = String(repeating: "a", count: 5_000)
    let (monitor, _) = try await monitor(script, log, environment: ["A": line])
    #expect(await monitor.exit(within: .seconds(20)) == .exited(0))
    await monitor.streamsEnd(within: .seconds(20))
    #expect((209...212).contains(log.lines.count), "\(log.lines.count)")
    #expect(await monitor.standardError.last == "last")
    await monitor.release()
  }

  @Test func `ends for the first reason that there was, and that is told once`() async throws {
    defer { loop.stop() }
    let log = KeptLog(from: .warning)
    let (monitor, _) = try await monitor("exec /bin/sleep 300", log)
    let first = ExitReason.threads(used: 2, ceiling: 1)
    for reason in [first, .stopped("its tool was done with it")] { await monitor.kill(reason) }
    #expect(await monitor.exit(within: .seconds(20)) == first)
    await monitor.kill(.stopped("it was ended already"))
    await monitor.end(byForce: .stopped("it was ended already"))
    #expect(await monitor.exit(within: .seconds(20)) == first)
    await monitor.release()
    #expect(log.lines == ["ended at a limit"])
  }

  @Test func `ends for a reason that is no limit without a word`() async throws {
    defer { loop.stop() }
    let log = KeptLog(from: .warning)
    let (monitor, _) = try await monitor("exec /bin/sleep 300", log)
    await monitor.end(byForce: .stopped("its tool was done with it"))
    #expect(await monitor.exit(within: .seconds(20)) == .stopped("its tool was done with it"))
    await monitor.release()
    #expect(log.lines == [])
  }

  @Test func `has its input closed once, whoever has the number afterwards`() async throws {
    defer { loop.stop() }
    let (monitor, process) = try await monitor("exec /bin/cat")
    await monitor.closeStandardInput()
    #expect(await monitor.exit(within: .seconds(20)) == .exited(0))
    // The same number, unless another test was faster.
    let other = fcntl(process.standardError, F_DUPFD_CLOEXEC, process.standardInput)
    try #require(other >= 0)
    await monitor.closeStandardInput()
    #expect(fcntl(other, F_GETFD) >= 0)
    await monitor.release()
    #expect(fcntl(other, F_GETFD) >= 0)
    close(other)
  }
}
