import JSON
import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Testing

@testable import ExtensionHosting
@testable import Sandbox

/// What is said of an extension that ended by itself.
@Suite(.timeLimit(.minutes(1)))
struct `The end of an extension` {
  private func watch(_ loop: EventLoop, group: ControlGroup?) -> ResourceWatch {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let connection = Connection(on: loop, input: null, output: null, configuration: Connection.Configuration())
    return ResourceWatch(
      quota: DiskQuota([], limits: ExtensionLimits(memoryMiB: 32)), connection: connection, work: OpenWork(),
      loop: loop, diskLoop: DiskLoop(), group: group)
  }

  /// A process that was spawned begins with the host's own peak.
  @Test func `is not near the ceiling by a peak that may be the host's own`() async throws {
    let loop = EventLoop.onThread(name: "end-of-extension")
    defer { loop.stop() }
    let watch = watch(loop, group: nil)
    // The peak is that of now, and does not grow between the two looks at it.
    #expect([UInt8](repeating: 1, count: 64 << 20).last == 1)
    var usage = rusage()
    try #require(getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0)
    let least = max(SandboxLimits(ExtensionLimits(memoryMiB: 32)).data / 2, UInt64(usage.ru_maxrss) << 10)
    #expect(await watch.explain(.crashed(SIGSEGV), peakMemory: least) == .crashed(SIGSEGV))
  }

  private func explained(_ reason: ExitReason, kills: Int?) async throws -> ExitReason {
    let loop = EventLoop.onThread(name: "end-of-extension")
    defer { loop.stop() }
    let folder = try TemporaryFolder()
    if let kills { try folder.write("memory.events", "low 0\noom_kill \(kills)\n".utf8) }
    try folder.write("memory.peak", "33554432\n".utf8)
    let group = kills == nil ? nil : ControlGroup(path: folder.path, version: .two)
    return await watch(loop, group: group).explain(reason, peakMemory: 0)
  }

  @Test(arguments: [
    (ExitReason.crashed(SIGKILL), 1 as Int?, ExitReason.memory(used: 32 << 20, ceiling: 32 << 20)),
    (.unknown, 2, .memory(used: 32 << 20, ceiling: 32 << 20)),
    (.sandboxEnded, 1, .memory(used: 32 << 20, ceiling: 32 << 20)), (.sandboxEnded, 0, .sandboxEnded),
    (.crashed(SIGKILL), 0, .crashed(SIGKILL)), (.crashed(SIGKILL), nil, .crashed(SIGKILL)), (.unknown, 0, .unknown),
    (.exited(3), 1, .exited(3)), (.crashed(SIGSEGV), 1, .crashed(SIGSEGV)), (.closedOutput, 1, .closedOutput),
  ])
  func `is one for memory when the kernel counted a kill`(
    reason: ExitReason, kills: Int?, explained: ExitReason
  ) async throws {
    #expect(try await self.explained(reason, kills: kills) == explained)
  }

  @Test func `is near the ceiling from four fifths of it on, for the signals of a failed allocation`() async throws {
    let loop = EventLoop.onThread(name: "end-of-extension")
    defer { loop.stop() }
    // More than any host of these tests ever had, so that the peak is the extension's own.
    let ceiling: UInt64 = 1 << 40
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let watch = ResourceWatch(
      quota: DiskQuota([], limits: ExtensionLimits(memoryMiB: ceiling >> 20)),
      connection: Connection(on: loop, input: null, output: null, configuration: Connection.Configuration()),
      work: OpenWork(), loop: loop, diskLoop: DiskLoop())
    let most = ceiling / 5 * 4
    for signal in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP] {
      let near = ExitReason.crashedNearCeiling(signal, used: most, ceiling: ceiling)
      #expect(await watch.explain(.crashed(signal), peakMemory: most) == near)
      #expect(await watch.explain(.crashed(signal), peakMemory: most - 1) == .crashed(signal))
      #expect(await watch.explain(.crashed(signal), peakMemory: 0) == .crashed(signal))
    }
    for reason in [
      ExitReason.crashed(SIGSYS), .crashed(SIGKILL), .crashed(SIGTERM), .exited(1), .sandboxEnded, .unknown,
    ] {
      #expect(await watch.explain(reason, peakMemory: ceiling) == reason)
    }
  }

  /// The first call of the request finds out, and its error has the reason.
  @Test func `between the handshake and the request lets the request begin, another one does not`() async throws {
    let loop = EventLoop.onThread(name: "end-of-extension")
    defer { loop.stop() }
    let folder = try TemporaryFolder()
    let configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: folder.path), launcherPath: "/none")
    let supervisor = ExtensionSupervisor(
      id: "com.example.notes.clock", configuration: configuration,
      calls: CallRules(points: configuration.points, contracts: []), loop: loop)
    let identity = Caller.Identity(
      id: "com.example.notes.clock", version: nil, displayName: "Clock", point: .clock,
      containingApp: "com.example.notes", groups: [], entitlements: [])
    let target = LaunchTarget(identity: identity, executable: "/none")
    for (end, begins) in [(LifecycleStateMachine.Event.exited, true), (.stop(.quit), false)] {
      let instance = try await supervisor.admit(target, for: .foreign)
      await instance.event(.launched)
      await instance.event(.handshakeDone)
      await instance.event(end)
      #expect(await instance.beginRequest() == false)
      #expect(await instance.beginsOrExited() == begins)
      await supervisor.ended(instance, error: nil)
    }
  }
}
