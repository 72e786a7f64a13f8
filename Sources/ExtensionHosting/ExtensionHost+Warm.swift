public import ExtensionProtocol
import Synchronization

/// Extensions that are started before they are needed.
extension ExtensionHost {
  /// Starts an extension ahead: launched, confined, its handshake done, so that the next ``withExtension(_:_:)`` costs a
  /// round trip. Needs ``run()`` to be running. One that waits already is left as it is.
  ///
  /// A process that nobody uses ends after ``Warm/idleTime``, or when memory is short.
  ///
  /// - Throws: `pointDisallows` for extensions that are not started ahead: Share, actions with a user interface, photo
  ///   editing, document pickers; `shuttingDown` when the host does not run; `limitExceeded` when all processes that may
  ///   be kept are in use; else as ``withExtension(_:_:)``.
  public func prewarm(_ id: String) async throws(ExtensionError) {
    let target = try target(of: id)
    guard KeepRule.of(target.identity.point) != .never else {
      throw ExtensionError(
        .pointDisallows, "Extensions for \(target.identity.point.shortName) are not started ahead.",
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

  /// The scope of a process that is kept; its body waits in the pool.
  func keep(_ order: WarmOrder) async {
    let target = order.target
    let supervisor = supervisor(of: target.identity.id)
    let held = Mutex<ExtensionProcess?>(nil)
    do {
      let life = try await supervisor.admit(target)
      await supervisor.keep(life, replaces: order.replaces)
      let stamp = TargetStamp(target)
      try await start(target, life, of: supervisor) { [pool] process in
        let kept = WarmPool.Kept(
          life: life, process: process, target: target, stamp: stamp, supervisor: supervisor,
          rule: KeepRule.of(target.identity.point))
        held.withLock { $0 = process }
        await pool.park(kept, for: order)
        if process.failure.withLock({ $0 != nil }) { throw ExtensionError(.peerExited, "It failed a request.") }
      }
    } catch {
      order.finish(throwing: ExtensionError(wrapping: error))
    }
    if let process = held.withLock({ $0 }) { await pool.scopeEnded(process) }
  }

  /// A process that waits, when there is one; a newer version of it when its files have changed and that starts.
  func takeKept(_ id: String) async throws -> WarmPool.Kept? {
    while let (kept, hasBegun) = await pool.take(id) {
      if hasBegun { return kept }
      if try await isReplaced(kept) {
        await kept.supervisor.event(.stop(.update), of: kept.life)
        await pool.giveBack(kept, isReusable: false)
      } else {
        await kept.supervisor.event(.reinstated, of: kept.life)
        if await kept.supervisor.beginRequest(kept.life) { return kept }
        await pool.giveBack(kept, isReusable: false)
      }
    }
    return nil
  }

  /// Starts what the files hold now beside a process that started from what they held before.
  ///
  /// - Returns: false when that does not start; the old process goes on then, and the reason is remembered.
  private func isReplaced(_ kept: WarmPool.Kept) async throws -> Bool {
    let id = kept.target.identity.id
    await kept.supervisor.event(.replaced, of: kept.life)
    let version = kept.target.identity.version ?? "of before"
    do {
      let target = try ExtensionRegistry(configuration.registry.sources).launchTarget(id)
      try await pool.start(target, replacing: version)
      return true
    } catch {
      await pool.refuse(TargetStamp(kept.target), insteadOf: kept)
      configuration.log.log(
        .warning, "the new version does not start, the old one goes on",
        metadata: ["extension.id": .string(id), "why": .string(error.message)])
      if error.code == .extensionInvalid || error.code == .extensionUnknown {
        await kept.supervisor.rolledBack(to: version, because: error)
      }
      return false
    }
  }

  /// Serves one request with a process that waited.
  func serve<Result: Sendable>(
    _ kept: WarmPool.Kept, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    kept.process.recorder.count { $0.warm += 1 }
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body(kept.process))
    } catch {
      outcome = .failure(error)
    }
    let isCancelled = Task.isCancelled
    let isHealthy = kept.process.failure.withLock { $0 == nil } && !isCancelled
    let stop: StopReason? = isHealthy ? (kept.rule == .reuse ? nil : .idle) : isCancelled ? .quit : .timeout
    await pool.finish(kept, stop: stop)
    if stop != nil { await pool.gone(kept) }
    return try outcome.get()
  }
}
