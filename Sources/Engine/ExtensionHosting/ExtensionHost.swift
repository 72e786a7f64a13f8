import JSON
package import Activation
import CLinux
package import EventLoop
public import ExtensionProtocol
import Glibc
import JSONRPC
import Synchronization

/// Runs extensions that it does not trust: each in a process of its own, in a sandbox, for as long as a scope lasts.
public final class ExtensionHost: Sendable {
  /// The configuration that the host was created with.
  package let configuration: Configuration
  /// The event loop of the host.
  package let loop: EventLoop
  /// What extensions may call here.
  public let allowlist: Allowlist
  private let ownsLoop: Bool
  let table: ServiceTable
  /// What the host calls, by extension point.
  private let calls: CallRules
  private let current: Mutex<ExtensionRegistry>
  /// Which extensions there are: those of the configuration, until somebody listens to ``monitor(_:record:)``.
  public internal(set) var registry: ExtensionRegistry {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
  let launcher: ExtensionLauncher
  let pool: WarmPool
  /// What activation rules came to for the items that were asked about.
  package let activation = ActivationCache()
  let surroundings: Surroundings
  /// What is counted for ``metrics()``.
  var meter: HostMeter { surroundings.meter }
  /// Places for processes, and turns of launches.
  let places: FairLine
  let launches: FairLine
  /// The scopes that are open.
  let requests = HostRequests()
  private let supervisors = Mutex<[String: ExtensionSupervisor]>([:])

  /// - Parameters:
  ///   - points: extension points of the host app's own, beside those of the configuration's registry.
  /// - Throws: `internalError` when the services do not fit their contracts, or when two points, or a point and a service,
  ///   claim one prefix; `limitExceeded` when the process has no descriptor or no thread left.
  public convenience init(
    configuration: Configuration, services: [any HostService], points: [any PointContract.Type] = []
  ) throws(ExtensionError) {
    var configuration = configuration
    configuration.registry = configuration.registry.adding(points)
    try self.init(configuration: configuration, services: services, loop: Self.newLoop(), ownsLoop: true)
  }

  /// The loop of a host, on a thread of its own.
  static func newLoop() throws(ExtensionError) -> EventLoop {
    do throws(EventLoopError) {
      return try EventLoop.started(name: "annex-host")
    } catch {
      throw ExtensionError(error)
    }
  }

  deinit { if ownsLoop { loop.stop() } }

  /// - Parameter ownsLoop: whether the loop's thread ends with the host.
  package init(
    configuration: Configuration, services: [any HostService], loop: EventLoop, ownsLoop: Bool = false
  ) throws(ExtensionError) {
    var configuration = configuration
    configuration.log = MeteredLog.over(configuration.log, loop: loop)
    self.configuration = configuration
    self.loop = loop
    self.ownsLoop = ownsLoop
    current = Mutex(configuration.registry)
    table = try ServiceTable(services)
    try configuration.points.check(table.contracts)
    calls = CallRules(points: configuration.points, contracts: table.contracts)
    allowlist = configuration.allowlist ?? table.allowlist(configuration.points)
    surroundings = Surroundings(configuration, loop: loop)
    let capacity = configuration.capacity
    places = FairLine(
      .init(
        inside: max(1, capacity.processes), insideOfEach: max(1, capacity.processesOfOneExtension),
        waiting: max(0, capacity.waiting)), on: loop)
    // One extension whose launches hang leaves half of the turns to the others.
    launches = FairLine(
      .init(
        inside: max(1, capacity.launches), insideOfEach: max(1, capacity.launches / 2),
        waiting: max(0, capacity.processes)), on: loop)
    if configuration.raisesDescriptorLimit { DescriptorLimit.raise() }
    launcher = ExtensionLauncher(configuration: configuration, loop: loop)
    pool = WarmPool(capacity: configuration.warm.capacity, loop: loop)
  }

  /// How many answers of activation rules are kept.
  package var rememberedMatches: Int { activation.count }

  /// The wire names of the methods that extensions find here, whether or not they may call them.
  public var methods: [String] { table.methods }

  /// Runs the services' own work, and the processes that are started ahead, until the task is cancelled, or the host shut
  /// down: see ``shutdown(within:)``.
  ///
  /// - Throws: what a service's own work throws, which ends all of it.
  public func run() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for service in table.services {
        group.addTask {
          try await service.run()
          return false
        }
      }
      group.addTask(executorPreference: loop) { [self] in
        await pool.run { await self.keep($0) }
        return false
      }
      group.addTask { [surroundings] in await surroundings.isShut() }
      // The first error leaves the scope, which cancels the rest: `waitForAll()` would wait for the rest before.
      while let isShut = try await group.next() {
        if isShut { return group.cancelAll() }
      }
    }
  }

  /// Runs the body with an extension, and ends it: the whole process tree is gone when this returns. An extension that
  /// was started ahead with ``prewarm(_:)`` is used first, and kept where its extension point allows that.
  ///
  /// - Throws: `extensionUnknown` with near misses, `extensionInvalid` with every problem of its manifest,
  ///   `pointDisallows` when the host takes no extensions at its point, `quarantined` when it failed too often lately,
  ///   `limitExceeded` when too much is asked for at once (``Capacity``) or no descriptor is left, `shuttingDown`,
  ///   `sandboxUnavailable`, `launchFailed`, what the handshake throws, and what the body throws.
  public func withExtension<Result: Sendable>(
    _ id: String, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    try requests.begin()
    defer { requests.end() }
    let start = loop.time
    do {
      let result: Result
      if let kept = try await takeKept(id) {
        result = try await serve(kept, body)
      } else {
        result = try await withTarget(target(of: id), body)
      }
      meter.request(of: id, took: loop.time &- start, error: nil)
      return result
    } catch {
      let isUnknown = (error as? ExtensionError)?.code == .extensionUnknown
      meter.request(of: isUnknown ? "other" : id, took: loop.time &- start, error: error)
      throw error
    }
  }

  /// What is needed to start an extension.
  func target(of id: String) throws(ExtensionError) -> LaunchTarget {
    let target = try registry.launchTarget(id)
    let point = target.identity.point
    guard configuration.refusedPoints.contains(point) else { return target }
    throw ExtensionError(
      .pointDisallows, "This host uses no extensions for \(configuration.points.shortName(of: point)).",
      recovery: "Use \(target.identity.displayName) in another host app.")
  }

  /// Reaches a containing app: the process that the user runs, or one that is started for the length of the body.
  ///
  /// - Throws: as ``withExtension(_:_:)``.
  public func withApp<Result: Sendable>(
    _ id: String, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    try requests.begin()
    defer { requests.end() }
    let target = try registry.launchTarget(id)
    let descriptor = clinux_local_connect(configuration.state.paths.socket(ofApp: id))
    guard descriptor >= 0 else { return try await withTarget(target, body) }
    let link = RunningApp(
      connection: Connection(
        on: loop, input: descriptor, output: descriptor, configuration: configuration.wire))
    defer { close(descriptor) }
    return try await serve(link, target, body)
  }

  /// Ends every process of an extension, in this host and in others on the same state directory, which follow within
  /// about a second; and forgets its back-off. A quarantine stays.
  ///
  /// - Throws: `storeFailed` when the state directory cannot be written.
  public func restart(_ id: String) async throws(ExtensionError) {
    _ = try await HealthStore(configuration.state, log: configuration.log).restart(id)
    await supervisor(of: id).stopAll(.host)
  }

  /// Lets an extension start again that was disabled because it failed too often; ends its processes, as
  /// ``restart(_:)``.
  ///
  /// - Throws: `storeFailed` when the state directory cannot be written.
  public func reset(_ id: String) async throws(ExtensionError) {
    try await HealthStore(configuration.state, log: configuration.log).reset(id)
    await supervisor(of: id).stopAll(.host)
  }

  /// What is remembered of an extension's failures.
  public func health(of id: String) -> HealthRecord {
    HealthStore(configuration.state, log: configuration.log).record(of: id)
  }

  /// Starts a target that no registry needs to know, runs the body with it, and ends it.
  package func withTarget<Result: Sendable>(
    _ target: LaunchTarget, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let instance = try await apart { [self] in
      try await supervisor(of: target.identity.id).admit(target, for: .request)
    }
    return try await withPlace(for: instance) {
      try await start(instance) { process in
        guard await instance.beginsOrExited() else { throw instance.isEnding }
        let result = try await body(process)
        await instance.endRequest()
        return result
      }
    }
  }

  /// The holders of instances, of every extension that was asked for.
  var knownSupervisors: [ExtensionSupervisor] { supervisors.withLock { Array($0.values) } }

  /// The holder of an extension's instances.
  func supervisor(of id: String) -> ExtensionSupervisor {
    supervisors.withLock { supervisors in
      if let known = supervisors[id] { return known }
      let new = ExtensionSupervisor(
        id: id, configuration: configuration, calls: calls, loop: loop, surroundings: surroundings)
      supervisors[id] = new
      return new
    }
  }
}

extension ExtensionError {
  /// There is no event loop.
  package init(_ error: EventLoopError) {
    self.init(
      .limitExceeded, error.description,
      recovery: "Raise the limits of descriptors (ulimit -n) and of threads, or end other programs.",
      details: ["errno": .integer(Int64(error.errno))])
  }
}
