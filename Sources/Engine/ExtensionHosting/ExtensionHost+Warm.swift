import JSON
import EventLoop
public import ExtensionProtocol

/// Extensions that are started before they are needed.
extension ExtensionHost {
  /// Starts an extension ahead: launched, confined, its handshake done, so that the next ``withExtension(_:_:)`` costs a
  /// round trip. Needs ``run()`` to be running. One that waits already is left as it is.
  ///
  /// A process that nobody uses ends after ``Warm/idleTime``, or when memory is short.
  ///
  /// - Throws: `pointDisallows` for extensions that are not started ahead (``ExtensionPointDefinition/reuse``), such as
  ///   Share; `shuttingDown` when the host does not run; `limitExceeded` when all processes that may
  ///   be kept are in use; else as ``withExtension(_:_:)``.
  public func prewarm(_ id: String) async throws(ExtensionError) {
    try requests.begin()
    defer { requests.end() }
    let target = try target(of: id)
    guard configuration.points.definition(of: target.identity.point).reuse != .never else {
      throw ExtensionError(
        .pointDisallows,
        "Extensions for \(configuration.points.shortName(of: target.identity.point)) are not started ahead.",
        recovery: "Start \(target.identity.displayName) when the user asks for it.")
    }
    guard configuration.warm.capacity > 0 else {
      throw ExtensionError(.limitExceeded, "This host keeps no processes: Configuration.warm.capacity is 0.")
    }
    if await pool.holds(id) { return }
    try await pool.start(target)
  }

  /// How many processes are kept, in use or not.
  public var keptProcesses: Int { get async { await pool.count } }

  /// How many of them wait for a request.
  package var freeProcesses: Int { get async { await pool.freeCount } }

  /// Whether ``run()`` has begun and ``prewarm(_:)`` works.
  package var isRunning: Bool { get async { await pool.isRunning } }

  /// The scope of a process that is kept: it lasts until the process is used up, is not needed any more, or ends.
  func keep(_ order: WarmOrder) async {
    let target = order.target
    do {
      let instance = try await supervisor(of: target.identity.id).admit(target, for: .keeping(replaces: order.replaces))
      let rule = configuration.points.definition(of: target.identity.point).reuse
      do {
        try await start(instance) { [pool] process in await pool.add(instance, process, rule, for: order) }
      } catch {
        order.finish(throwing: ExtensionError(wrapping: error))
      }
      await pool.remove(instance)
    } catch {
      order.finish(throwing: error)
    }
  }

  /// A process that waits, when there is one; a newer version of it when its files have changed and that starts.
  func takeKept(_ id: String) async throws -> WarmPool.Kept? {
    while let (kept, hasBegun) = await pool.take(id) {
      if hasBegun {
        guard lacksGrant(kept.instance.target) else { return kept }
        await pool.finish(kept, stop: .update)
      } else if try await isReplaced(kept) {
        await pool.giveBack(kept, stop: .update)
      } else {
        await kept.instance.event(.reinstated)
        if await kept.instance.beginRequest() { return kept }
        await pool.giveBack(kept, stop: .idle)
      }
    }
    return nil
  }

  /// Whether the user has granted since the start what a process can only be started with.
  private func lacksGrant(_ target: LaunchTarget) -> Bool {
    if target.identity.permissions.isEmpty { return false }
    return configuration.permissions.states(for: target.identity).contains { name, state in
      state == .granted && target.permissions[name] != .granted
        && PermissionKind.named(name)?.isEnforcedBySandbox == true
    }
  }

  /// Starts what the files hold now beside a process that started from what they held before.
  ///
  /// - Returns: false when that does not start; the old process goes on then, and the reason is remembered.
  private func isReplaced(_ kept: WarmPool.Kept) async throws -> Bool {
    let instance = kept.instance
    let id = instance.identity.id
    await instance.event(.replaced)
    let version = instance.identity.version ?? "of before"
    // Of what is tried: while it fails, the next version may come.
    let stamp = TargetStamp(instance.target)
    do {
      let registry = registry
      let target = try await SystemThread.run(name: "annex-registry") { registry.readAgain() }.launchTarget(id)
      try await pool.start(target, replacing: version)
      return true
    } catch {
      if error.code != .limitExceeded { await pool.refuse(stamp, insteadOf: kept) }
      configuration.log.log(
        .warning, "the new version does not start, the old one stays in use",
        metadata: ["extension.id": .string(id), "why": .string(error.message)])
      if error.code == .extensionInvalid || error.code == .extensionUnknown {
        await instance.supervisor.rolledBack(to: version, because: error)
      }
      return false
    }
  }

  /// Serves one request with a process that waited.
  func serve<Result: Sendable>(
    _ kept: WarmPool.Kept, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    kept.process.recorder.count { $0.warm += 1 }
    meter.warm()
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body(kept.process))
    } catch {
      outcome = .failure(error)
    }
    let isCancelled = Task.isCancelled
    let isHealthy = !kept.instance.hasFailed && !isCancelled
    let stop: StopReason? = isHealthy ? (kept.rule == .reuse ? nil : .idle) : isCancelled ? .quit : .timeout
    await pool.finish(kept, stop: stop)
    if stop != nil { await kept.instance.gone() }
    return try outcome.get()
  }
}
