import EventLoop
import ExtensionProtocol
import JSONRPC
import Synchronization

/// The scope of one process: started, spoken to, ended.
extension ExtensionHost {
  /// Starts a process for a life that was admitted.
  func start<Result: Sendable>(
    _ target: LaunchTarget, _ life: UInt64, of supervisor: ExtensionSupervisor,
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    var target = target
    target.grants = Set(configuration.permissions.states(for: target.identity).filter { $0.value == .granted }.keys)
    let link: LaunchedExtension
    do {
      link = try await launcher.launch(target)
    } catch {
      await supervisor.event(.launchFailed, of: life)
      await supervisor.ended(life, error: error, process: nil)
      throw error
    }
    return try await serve(link, life, of: supervisor, target, body)
  }

  /// Serves something that this host did not start: nothing is remembered of it.
  package func serve<Result: Sendable>(
    _ link: some ExtensionLink, _ target: LaunchTarget, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let supervisor = supervisor(of: target.identity.id)
    let life = try await supervisor.admit(target, isRecorded: false)
    return try await serve(link, life, of: supervisor, target) { process in
      _ = await supervisor.beginRequest(life)
      return try await body(process)
    }
  }

  /// Runs the connection beside the body, and tells the services when it is over, which may be before the body is.
  /// Afterwards ends the process, once, whoever asked for it first.
  private func serve<Result: Sendable>(
    _ link: some ExtensionLink, _ life: UInt64, of supervisor: ExtensionSupervisor, _ target: LaunchTarget,
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let process = link.process(target.identity, loop: loop)
    process.log.withLock { $0 = configuration.log }
    let permissions = CallerPermissions(configuration.permissions, of: process)
    let broker = Broker(
      table: table, allowlist: allowlist, log: configuration.log,
      deadline: configuration.deadlines.service, loop: loop, identity: target.identity, permissions: permissions)
    process.recorder.count { $0.launches += 1 }
    let (actions, continuation) = AsyncStream.makeStream(of: LifecycleStateMachine.Action.self)
    await supervisor.launched(life, continuation)
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { [self] in
        await converse(process, broker, life, of: supervisor)
      }
      group.addTask(executorPreference: loop) { [self] in
        await attend(actions, link, process, life, of: supervisor)
      }
      group.addTask(executorPreference: loop) { [loop] in
        await permissions.follow(on: loop) { await supervisor.event(.stop(.policy), of: life) }
      }
      let outcome: Swift.Result<Result, any Error>
      do {
        let parameters = parameters(target, link.directories, permissions.initial)
        try await handshake(with: process, broker: broker, parameters: parameters, life, of: supervisor)
        outcome = .success(try await body(process))
      } catch {
        outcome = .failure(error)
      }
      // Its calls may have heard of its end before the task that serves it.
      if process.hasHungUp { await supervisor.event(.exited, of: life) }
      await supervisor.event(.stop(Self.reason(outcome)), of: life)
      continuation.finish()
      permissions.stop()
      await group.waitForAll()
      return outcome
    }
    await supervisor.ended(life, error: outcome.error, process: process)
    if case .failure = outcome, let withdrawal = permissions.withdrawal { throw withdrawal }
    return try outcome.get()
  }

  /// Serves the extension's calls until the connection ends.
  private func converse(
    _ process: ExtensionProcess, _ broker: Broker, _ life: UInt64, of supervisor: ExtensionSupervisor
  ) async {
    await withDiscardingTaskGroup { [table] company in
      for service in table.services { company.addTask { await service.accompany(process.caller) } }
      _ = await process.connection.run(handler: broker)
      company.cancelAll()
    }
    if process.hasHungUp { await supervisor.event(.exited, of: life) }
    for service in table.services { await service.callerDidExit(process.caller) }
    await pool.ended(process)
  }

  /// Does what the life decides, and ends the process at last.
  private func attend(
    _ actions: AsyncStream<LifecycleStateMachine.Action>, _ link: some ExtensionLink, _ process: ExtensionProcess,
    _ life: UInt64, of supervisor: ExtensionSupervisor
  ) async {
    var ending = StopReason.quit
    acting: for await action in actions {
      switch action {
      case .ping:
        let limit = configuration.deadlines.ping * 0.9
        if await process.answersPing(within: limit) { await supervisor.event(.pong, of: life) }
      case .terminate(let reason):
        ending = reason
        break acting
      case .kill(let why):
        await link.kill(why)
        ending = .timeout
        break acting
      case .start, .cancel, .warn, .recordFailure: break
      }
    }
    await link.end(configuration.deadlines, reason: ending)
    await pool.ended(process)
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
        id: identity.id, version: identity.version, point: identity.point, containingApp: identity.containingApp),
      permissions: states,
      limits: HandshakeLimits.table(configuration.effectiveLimits(of: target), configuration.deadlines),
      directories: directories)
  }

  private func handshake(
    with process: ExtensionProcess, broker: Broker, parameters: Initialize, _ life: UInt64,
    of supervisor: ExtensionSupervisor
  ) async throws(ExtensionError) {
    let start = loop.time
    let answer: Initialize.Result
    do {
      answer = try await process.call(parameters, deadline: configuration.deadlines.handshake)
    } catch {
      let error = Handshake.explain(error, of: process.identity, tally: broker.tally)
      process.failure.withLock { failure in
        guard let known = failure else { return }
        failure?.message = error.message
        failure?.recovery = error.recovery ?? known.recovery
        failure?.wire = broker.tally.summary
      }
      await supervisor.event(error.code == .deadlineExceeded ? .handshakeTimedOut : .launchFailed, of: life)
      throw error
    }
    guard parameters.protocolVersions.contains(answer.protocolVersion) else {
      let error = Handshake.unsupported(answer.protocolVersion, by: process.identity)
      process.note(error, kind: .versionMismatch, method: Initialize.method)
      await supervisor.event(.handshakeRefused, of: life)
      throw error
    }
    process.recorder.count { $0.launch.add(nanoseconds: loop.time &- start) }
    broker.open(to: process.caller)
    await process.notify(Initialized())
    await supervisor.event(.handshakeDone, of: life)
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension ExtensionProcess {
  /// Whether it still answers. That it does not serve `$/ping` is an answer too: only the handshake is asked of every
  /// extension.
  fileprivate func answersPing(within limit: Duration) async -> Bool {
    do throws(ErrorObject) {
      _ = try await connection.call(Ping.method, Ping(), returning: JSONValue.self, deadline: limit)
      return true
    } catch {
      return error.code == ExtensionError.Code.methodNotFound.number
    }
  }

  /// Whether the connection has ended, and not by the host's will.
  fileprivate var hasHungUp: Bool {
    switch connection.closeReason {
    case nil, .finished, .cancelled: false
    default: true
    }
  }

  /// What a request gets that came when the process was ending already.
  var isEnding: ExtensionError {
    ExtensionError(.cancelled, "\(identity.displayName) was ended by the host, before the request began.")
  }
}
