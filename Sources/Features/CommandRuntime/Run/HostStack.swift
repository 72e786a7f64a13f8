package import EventLoop
package import ExtensionHosting
import ExtensionProtocol
import HostServices

/// A host with the services of all features, for one run of a command.
package struct HostStack: Sendable {
  /// The host.
  package let host: ExtensionHost
  /// The extensions that the command line can see.
  package var registry: ExtensionRegistry { host.configuration.registry }
  /// The state directory.
  package var state: StateDirectory { host.configuration.state }

  /// A host as the command line asks for it; no extension is started yet.
  ///
  /// - Parameters:
  ///   - manifests: places of more manifests (``ManifestPlaces``).
  ///   - ask: asks the user about a permission, in place of the terminal.
  ///   - recorder: records the messages where no `--trace` does.
  package init(
    _ invocation: Invocation, manifests: [String] = [],
    asking ask: (@Sendable (PermissionQuestion) async -> Consent.Answer)? = nil, recorder: FrameRecorder? = nil
  ) throws {
    let state = try invocation.state()
    var services = StandardServices(
      state: state, registry: try invocation.registry(adding: manifests),
      permissions: invocation.permissions(state, asking: ask),
      log: ToolLog(console: ConsoleLog(invocation.console), files: ExtensionLog(state)))
    services.configuration.peer = Peer(name: "host", version: HostTool.version)
    services.configuration.controlGroups = try ExtensionHost.ControlGroupUse(environment: invocation.environment)
    services.configuration.recorder = invocation.trace?.recorder ?? recorder
    for feature in invocation.tool.features { try feature.prepare(&services, for: invocation) }
    let host = try services.makeHost(on: invocation.loop)
    self.host = host
    // The background work of the services ends with the command. When it fails, only the service that needs it is
    // affected.
    invocation.background.add { try? await host.run() }
  }

  /// The service of a feature.
  package func service<Service: HostService>(_ type: Service.Type = Service.self) -> Service { host.service(type) }

  /// Starts an extension for a request of the user's.
  ///
  /// - Throws: as `ExtensionHost.withExtension`; one that cannot be started has the code that host apps know.
  package func withExtension<Value: Sendable>(
    _ entry: RegistryEntry, _ body: (ExtensionProcess) async throws -> Value
  ) async throws -> Value {
    do {
      return try await host.withExtension(entry.identifier, body)
    } catch let error as ExtensionError {
      throw error.asInterruption
    }
  }
}

/// What goes on beside a command and ends with it: the own work of the services of each host that the command makes.
package struct Background: Sendable {
  /// Work that is cancelled when the command ends.
  package typealias Work = @Sendable () async -> Void

  private let works: AsyncStream<Work>
  private let continuation: AsyncStream<Work>.Continuation

  init() { (works, continuation) = AsyncStream.makeStream() }

  /// Begins something, while ``beside(on:_:)`` runs or as soon as it does.
  package func add(_ work: @escaping Work) { continuation.yield(work) }

  /// Runs the body with what is begun beside it, which is then cancelled and waited for. Once.
  package func beside<Value>(on loop: EventLoop, _ body: () async throws -> Value) async throws -> Value {
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask(executorPreference: loop) { [works] in
        await withDiscardingTaskGroup { group in
          for await work in works { group.addTask(executorPreference: loop) { await work() } }
        }
      }
      defer { group.cancelAll() }
      return try await body()
    }
  }
}
