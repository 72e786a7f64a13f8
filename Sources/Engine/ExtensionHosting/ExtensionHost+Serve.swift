import EventLoop
import ExtensionProtocol
import JSONRPC
import Synchronization

/// The scope of one process: launch, handshake, body, end.
extension ExtensionHost {
  /// Starts the process of an instance that was admitted.
  func start<Result: Sendable>(
    _ instance: ExtensionInstance, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let turn = try await awaitLaunch(of: instance)
    defer { turn.finish(isLaunched: false) }
    let link: LaunchedExtension
    do {
      link = try await apart { [self] in
        guard await instance.state == .eligible else { throw instance.isEnding }
        try await instance.supervisor.checkQuarantine(of: instance)
        return try await launcher.launch(instance.target)
      }
    } catch {
      await instance.event(.launchFailed)
      await instance.supervisor.ended(instance, error: error, isLaunch: true)
      throw error
    }
    return try await serve(instance, over: link, turn, body)
  }

  /// Serves something that this host did not start: nothing is remembered of it.
  package func serve<Result: Sendable>(
    _ link: some ExtensionLink, _ target: LaunchTarget, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let instance = try await supervisor(of: target.identity.id).admit(target, for: .foreign)
    return try await serve(instance, over: link) { process in
      _ = await instance.beginRequest()
      return try await body(process)
    }
  }

  /// Shakes hands, runs the body beside the connection, and ends the process, whoever asked for it first: with the body,
  /// or, when it is kept, once somebody decides so. The services hear when the connection is over, which may be before.
  private func serve<Result: Sendable>(
    _ instance: ExtensionInstance, over link: some ExtensionLink, _ turn: LaunchTurn? = nil,
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let process = link.process(of: instance)
    let permissions = CallerPermissions(configuration.permissions, of: process)
    let broker = Broker(
      table: table, allowlist: allowlist, log: configuration.log,
      deadline: configuration.deadlines.service, loop: loop, identity: instance.identity, permissions: permissions)
    process.recorder.count { $0.launches += 1 }
    await instance.launched(process, over: link)
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { [self] in await converse(instance, process, broker) }
      group.addTask(executorPreference: loop) { [surroundings] in
        if permissions.mayChange { permissions.follow { instance.assumeIsolated { $0.event(.stop(.policy)) } } }
        await surroundings.began()
        await instance.attend()
        await surroundings.ended()
        permissions.stop()
      }
      let outcome: Swift.Result<Result, any Error>
      do {
        let parameters = parameters(instance.target, link.directories, permissions.initial)
        try await apart { [self] in try await shakeHands(with: process, broker: broker, parameters: parameters) }
        turn?.finish(isLaunched: true)
        if turn != nil { launcher.reserve.launched() }
        outcome = .success(try await body(process))
      } catch {
        outcome = .failure(error)
      }
      if outcome.error != nil || !instance.isKept {
        await instance.finish(Self.reason(outcome))
        permissions.stop()
      }
      await group.waitForAll()
      return outcome
    }
    await instance.supervisor.ended(instance, error: outcome.error)
    if case .failure = outcome, let withdrawal = permissions.withdrawal { throw withdrawal }
    return try outcome.get()
  }

  /// Does a part of a start in a task of its own, which prefers the loop. A task keeps the memory that it once needed until it
  /// ends, and the task of a scope lives as long as the extension: that would be ten kibibytes of each. On another thread
  /// each look at what lives on the loop costs two changes of thread.
  func apart<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(executorPreference: loop) { try await work() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Serves the extension's calls until the connection ends.
  private func converse(_ instance: ExtensionInstance, _ process: ExtensionProcess, _ broker: Broker) async {
    await withDiscardingTaskGroup { [table] company in
      for service in table.services { company.addTask { await service.accompany(process.caller) } }
      _ = await process.connection.run(handler: broker)
      company.cancelAll()
    }
    await hasConversed(instance, process)
  }

  /// The connection is over. Apart, so that a task that waits for this does not hold its memory.
  @inline(never)
  private func hasConversed(_ instance: ExtensionInstance, _ process: ExtensionProcess) async {
    (configuration.log as? MeteredLog)?.flush(instance.identity.id)
    await instance.lookAtConnection()
    for service in table.services { await service.callerDidExit(process.caller) }
    await pool.ended(instance)
  }

  /// Why a process ends whose scope ended so.
  private static func reason<Result>(_ outcome: Swift.Result<Result, any Error>) -> StopReason {
    guard let error = outcome.error else { return .idle }
    if error is CancellationError || Task.isCancelled { return .quit }
    return (error as? ExtensionError)?.code == .deadlineExceeded ? .timeout : .idle
  }

  /// What `initialize` says.
  func parameters(
    _ target: LaunchTarget, _ directories: Initialize.Directories, _ permissions: [String: PermissionState]
  ) -> Initialize {
    let identity = target.identity
    // An entitlement that is no permission needs nobody's consent.
    var states = Dictionary(identity.entitlements.map { ($0, "granted") }, uniquingKeysWith: { first, _ in first })
    for (name, state) in permissions { states[name] = state.rawValue }
    return Initialize(
      host: configuration.peer,
      extension: Initialize.Identity(
        id: identity.id, version: identity.version, point: identity.point,
        pointVersion: configuration.points.definition(of: identity.point).version, containingApp: identity.containingApp
      ),
      permissions: states,
      limits: HandshakeLimits.table(configuration.effectiveLimits(of: target), configuration.deadlines),
      directories: directories)
  }

  private func shakeHands(
    with process: ExtensionProcess, broker: Broker, parameters: Initialize
  ) async throws(ExtensionError) {
    let instance = process.instance
    let start = loop.time
    let answer: Initialize.Result
    do {
      answer = try await process.call(parameters, deadline: configuration.deadlines.handshake)
    } catch {
      let error = Handshake.explain(error, of: process.identity, tally: broker.tally)
      instance.failure.withLock { failure in
        guard let known = failure else { return }
        failure?.message = error.message
        failure?.recovery = error.recovery ?? known.recovery
        failure?.wire = broker.tally.summary
      }
      await instance.event(error.code == .deadlineExceeded ? .handshakeTimedOut : .launchFailed)
      throw error
    }
    guard parameters.protocolVersions.contains(answer.protocolVersion) else {
      let finding = Handshake.unsupported(answer.protocolVersion, by: process.identity)
      process.note(finding)
      await instance.event(.handshakeRefused)
      throw finding.error(of: process.identity)
    }
    let version = answer.pointVersion ?? .first
    if let finding = Handshake.mismatch(
      version, of: process.identity, host: parameters.extension.pointVersion ?? .first)
    {
      process.note(finding)
      await instance.event(.handshakeRefused)
      throw finding.error(of: process.identity)
    }
    process.pointVersion = version
    process.recorder.count { $0.launch.add(nanoseconds: loop.time &- start) }
    broker.open(to: process.caller)
    await process.notify(Initialized())
    await instance.event(.handshakeDone)
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension ExtensionInstance {
  /// What a request gets that came when the process was ending already.
  nonisolated var isEnding: ExtensionError {
    ExtensionError(.cancelled, "\(identity.displayName) was ended by the host, before the request began.")
  }
}
