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
