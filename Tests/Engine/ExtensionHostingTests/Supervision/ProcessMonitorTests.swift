import EventLoop
import ExtensionProtocol
import Glibc
import Sandbox
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `A process that does not end when it is ended` {
  @Test func `is reaped when it does, after everybody has given it up`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let process = try LaunchPlan.unsafeNoSandbox(executable: "/bin/sleep", arguments: ["300"]).spawn()
    let monitor = ProcessMonitor(process, id: "com.example.slow", loop: loop, log: NoLog())
    try await monitor.start()
    #expect(await monitor.exit(within: .milliseconds(1)) == .unknown)
    await monitor.release()
    // Nobody has reaped it, so the number is still its own.
    #expect(kill(process.pid, SIGKILL) == 0)
    while kill(process.pid, 0) == 0 { await Task.yield() }
    #expect(await monitor.exit(within: .seconds(20)) == .crashed(SIGKILL))
  }
}
