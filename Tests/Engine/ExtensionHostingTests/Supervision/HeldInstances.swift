import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Synchronization

@testable import ExtensionHosting

/// The host's end of what is no process: it remembers what is done with it.
final class FakeLink: ExtensionLink {
  private struct State {
    var ends: [StopReason] = []
    var kills: [KillReason] = []
    var cleanUps = 0
  }

  let connection: Connection
  private let excess: DiskExcess?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - excess: what it leaves behind.
  ///   - connection: the way to a peer; nothing is sent without one.
  init(on loop: EventLoop, leaving excess: DiskExcess? = nil, over connection: Connection? = nil) {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    self.connection =
      connection ?? Connection(on: loop, input: null, output: null, configuration: Connection.Configuration())
    self.excess = excess
  }

  /// The reasons for which it was ended.
  var ends: [StopReason] { state.withLock(\.ends) }
  var kills: [KillReason] { state.withLock(\.kills) }
  var cleanUps: Int { state.withLock(\.cleanUps) }

  var directories: Initialize.Directories { Initialize.Directories(scratch: "", container: "", groups: [:]) }

  func process(of instance: ExtensionInstance) -> ExtensionProcess {
    ExtensionProcess(of: instance, connection: connection, scratch: nil)
  }

  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    state.withLock { $0.ends.append(reason) }
  }

  func cleanUp() async -> DiskExcess? {
    state.withLock { $0.cleanUps += 1 }
    return excess
  }

  func kill(_ why: KillReason) { state.withLock { $0.kills.append(why) } }
}

/// Instances of extensions without processes, whose times are long unless a test says otherwise.
final class HeldInstances: Sendable {
  /// One that was launched.
  struct Held: Sendable {
    let instance: ExtensionInstance
    let process: ExtensionProcess
    let link: FakeLink

    var state: LifecycleStateMachine.State { get async { await instance.state } }
  }

  static let clock = "com.example.notes.clock"

  let folder: TemporaryFolder
  let loop = EventLoop.onThread(name: "held-instances")
  let configuration: ExtensionHost.Configuration
  let surroundings: Surroundings

  init(
    log: any LogSink = NoLog(), _ change: (inout ExtensionHost.Configuration) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    var configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: folder.path), launcherPath: "/none",
      log: log)
    configuration.deadlines.slowLaunch = .seconds(3_600)
    configuration.deadlines.completion = .seconds(3_600)
    configuration.deadlines.ping = .seconds(3_600)
    configuration.deadlines.look = .seconds(3_600)
    configuration.warm.idleTime = .seconds(3_600)
    configuration.warm.isMemoryShort = { false }
    change(&configuration)
    self.configuration = configuration
    surroundings = Surroundings(configuration, loop: loop)
  }

  deinit { loop.stop() }

  func supervisor(of id: String = clock) -> ExtensionSupervisor {
    ExtensionSupervisor(
      id: id, configuration: configuration, calls: CallRules(points: configuration.points, contracts: []), loop: loop,
      surroundings: surroundings)
  }

  func target(_ id: String = clock, executable: String = "/none") -> LaunchTarget {
    let identity = Caller.Identity(
      id: id, version: "2.0", displayName: "Clock", point: .clock, containingApp: "com.example.notes", groups: [],
      entitlements: [])
    return LaunchTarget(identity: identity, executable: executable)
  }

  /// Whatever is launched here has shaken hands.
  func launch(
    _ target: LaunchTarget, for purpose: ExtensionInstance.Purpose, by supervisor: ExtensionSupervisor? = nil,
    leaving excess: DiskExcess? = nil, over connection: Connection? = nil
  ) async throws -> Held {
    let supervisor = supervisor ?? self.supervisor(of: target.identity.id)
    let instance = try await supervisor.admit(target, for: purpose)
    let link = FakeLink(on: loop, leaving: excess, over: connection)
    let process = link.process(of: instance)
    await instance.launched(process, over: link)
    await instance.event(.handshakeDone)
    return Held(instance: instance, process: process, link: link)
  }

  /// Runs the body with one whose peer the handler is.
  func withPeer(
    _ handler: some MessageHandler, for purpose: ExtensionInstance.Purpose = .request,
    by supervisor: ExtensionSupervisor? = nil, _ body: (Held) async throws -> Void
  ) async throws {
    let (near, far) = Connection.pair(on: loop)
    let calling = Task { await near.run(handler: NoHandler()) }
    let answering = Task { await far.run(handler: handler) }
    var failure: (any Error)?
    do {
      try await body(launch(target(), for: purpose, by: supervisor, over: near))
    } catch {
      failure = error
    }
    for end in [near, far] { await end.close(.finished) }
    _ = await (calling.value, answering.value)
    for end in [near, far] { await end.closeDescriptors() }
    if let failure { throw failure }
  }
}

/// Answers no request, however long that is waited for.
struct SilentPeer: MessageHandler {
  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    if message.id == nil { return nil }
    return MessageWork {
      let (never, end) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      end.finish()
      throw CancellationError()
    }
  }
}

/// Waits until something is so; the time limit of the test is its bound.
func until(_ condition: () async throws -> Bool) async rethrows {
  while try await !condition() { await Task.yield() }
}
