package import EventLoop
public import ExtensionProtocol
import JSONRPC
import Synchronization

/// Runs extensions that it does not trust: each in a process of its own, in a sandbox, for as long as a scope lasts.
public final class ExtensionHost: Sendable {
  package let configuration: Configuration
  package let loop: EventLoop
  let table: ServiceTable
  private let launcher: ExtensionLauncher

  /// - Throws: `internalError` when the services do not fit their contracts.
  public convenience init(configuration: Configuration, services: [any HostService]) throws(ExtensionError) {
    try self.init(configuration: configuration, services: services, loop: EventLoop.onThread(name: "annex-host"))
  }

  package init(configuration: Configuration, services: [any HostService], loop: EventLoop) throws(ExtensionError) {
    self.configuration = configuration
    self.loop = loop
    table = try ServiceTable(services)
    launcher = ExtensionLauncher(configuration: configuration, loop: loop)
  }

  /// Runs the services' own work until it ends or the task is cancelled.
  public func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for service in table.services { group.addTask { try await service.run() } }
      try await group.waitForAll()
    }
  }

  /// Starts an extension, runs the body with it, and ends it: the whole process tree is gone when this returns.
  ///
  /// - Throws: `extensionUnknown` with near misses, `extensionInvalid` with every problem of its manifest,
  ///   `sandboxUnavailable`, `launchFailed`, what the handshake throws, and what the body throws.
  public func withExtension<Result: Sendable>(
    _ id: String, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let target = try await configuration.registry.launchTarget(id)
    return try await withTarget(target, body)
  }

  private func withTarget<Result: Sendable>(
    _ target: LaunchTarget, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let launched = try await launcher.launch(target)
    let broker = makeBroker()
    let process = ExtensionProcess(
      identity: target.identity, connection: launched.connection, loop: loop, scratch: launched.directories.scratch,
      monitor: launched.monitor, owner: launched.owner)
    return try await serve(process, broker: broker, parameters: launched.parameters(for: target, configuration)) {
      try await body(process)
    } end: {
      await launched.end(process, configuration.deadlines)
    }
  }

  /// Runs the connection beside the body; afterwards ends the process, then tells the services.
  private func serve<Result: Sendable>(
    _ process: ExtensionProcess, broker: Broker, parameters: Initialize, _ body: () async throws -> Result,
    end: () async -> Void
  ) async throws -> Result {
    let connection = process.connection
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { _ = await connection.run(handler: broker) }
      let outcome: Swift.Result<Result, any Error>
      do {
        try await handshake(with: process, broker: broker, parameters: parameters)
        outcome = .success(try await body())
      } catch {
        outcome = .failure(error)
      }
      await end()
      await connection.close(.finished)
      try? await group.waitForAll()
      for service in table.services { await service.callerDidExit(process.caller) }
      return try outcome.get()
    }
  }

  private func handshake(
    with process: ExtensionProcess, broker: Broker, parameters: Initialize
  ) async throws(ExtensionError) {
    let answer: Initialize.Result
    do {
      answer = try await process.call(parameters, deadline: configuration.deadlines.handshake)
    } catch {
      throw Handshake.explain(error, of: process.caller.identity, tally: broker.tally)
    }
    guard parameters.protocolVersions.contains(answer.protocolVersion) else {
      throw Handshake.unsupported(answer.protocolVersion, by: process.caller.identity)
    }
    broker.open(to: process.caller)
    await process.notify(Initialized())
  }

  private func makeBroker() -> Broker {
    Broker(
      table: table, allowlist: configuration.allowlist, log: configuration.log,
      deadline: configuration.deadlines.service, loop: loop)
  }
}
