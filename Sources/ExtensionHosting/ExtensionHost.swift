import CLinux
package import EventLoop
public import ExtensionProtocol
import Glibc
import JSONRPC

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
    try await withTarget(configuration.registry.launchTarget(id), body)
  }

  /// Reaches a containing app: the process that the user runs, or one that is started for the length of the body.
  ///
  /// - Throws: as ``withExtension(_:_:)``.
  public func withApp<Result: Sendable>(
    _ id: String, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let target = try configuration.registry.launchTarget(id)
    let descriptor = clinux_local_connect(configuration.state.paths.socket(ofApp: id))
    guard descriptor >= 0 else { return try await withTarget(target, body) }
    let link = RunningApp(
      connection: Connection(
        on: loop, input: descriptor, output: descriptor, configuration: Connection.Configuration()))
    defer { close(descriptor) }
    return try await serve(link, target, body)
  }

  /// Starts a target that no registry needs to know, runs the body with it, and ends it.
  package func withTarget<Result: Sendable>(
    _ target: LaunchTarget, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    try await serve(launcher.launch(target), target, body)
  }

  func launch(_ target: LaunchTarget) async throws(ExtensionError) -> LaunchedExtension {
    try await launcher.launch(target)
  }

  /// Runs the connection beside the body, and tells the services when it is over, which may be before the body is.
  /// Afterwards ends the process.
  package func serve<Result: Sendable>(
    _ link: some ExtensionLink, _ target: LaunchTarget, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let process = link.process(target.identity, loop: loop)
    let connection = process.connection
    let broker = Broker(
      table: table, allowlist: configuration.allowlist, log: configuration.log,
      deadline: configuration.deadlines.service, loop: loop, identity: target.identity)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { [table] in
        _ = await connection.run(handler: broker)
        for service in table.services { await service.callerDidExit(process.caller) }
      }
      let outcome: Swift.Result<Result, any Error>
      do {
        try await handshake(with: process, broker: broker, parameters: parameters(target, link.directories))
        outcome = .success(try await body(process))
      } catch {
        outcome = .failure(error)
      }
      await link.end(configuration.deadlines)
      try? await group.waitForAll()
      return try outcome.get()
    }
  }

  private func parameters(_ target: LaunchTarget, _ directories: Initialize.Directories) -> Initialize {
    let identity = target.identity
    return Initialize(
      host: configuration.peer,
      extension: Initialize.Identity(
        id: identity.id, version: identity.version, point: identity.point, containingApp: identity.containingApp),
      permissions: Dictionary(identity.entitlements.map { ($0, "granted") }, uniquingKeysWith: { first, _ in first }),
      directories: directories)
  }

  private func handshake(
    with process: ExtensionProcess, broker: Broker, parameters: Initialize
  ) async throws(ExtensionError) {
    let answer: Initialize.Result
    do {
      answer = try await process.call(parameters, deadline: configuration.deadlines.handshake)
    } catch {
      throw Handshake.explain(error, of: process.identity, tally: broker.tally)
    }
    guard parameters.protocolVersions.contains(answer.protocolVersion) else {
      throw Handshake.unsupported(answer.protocolVersion, by: process.identity)
    }
    broker.open(to: process.caller)
    await process.notify(Initialized())
  }
}
