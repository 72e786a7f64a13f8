package import EventLoop
package import HTTPServer
package import PostgreSQL
import Synchronization

/// A local backend of Data Connect: serves the schema, queries and mutations of a project over a PostgreSQL database.
///
/// It speaks the protocol of the public emulator: REST for connectors and administrators, WebSocket for subscriptions, and
/// gRPC for both but administrators.
package final class DataConnectEmulator: StandInServer {
  /// The folder with `dataconnect.yaml`.
  package let folder: String
  /// The options that the emulator was created with.
  package let options: Options
  let deployer: Deployer
  let engine: OperationEngine
  let tokens: TokenReader
  let administrators: Administrators
  let liveQueries: LiveQueries
  let issues = IssueStreams()
  /// The number of open WebSockets.
  let openStreams = Atomic(0)
  /// The thread that answers clients and talks to the database. A request changes threads only in the HTTP library.
  private let thread: LoopThread
  /// The name of the database, without a password.
  let databaseName: String

  /// Creates an emulator. It serves nothing before ``withRunning(_:)``.
  ///
  /// - Parameters:
  ///   - folder: the folder with `dataconnect.yaml`.
  ///   - target: the database, whose tables are changed to match the schema.
  /// - Throws: `EventLoopError` when the system cannot start a thread.
  package init(project folder: String, target: PostgreSQLTarget, options: Options) throws(EventLoopError) {
    self.folder = folder
    self.options = options
    thread = try LoopThread(name: "data-connect")
    deployer = Deployer(folder: folder, target: target, options, on: thread)
    engine = OperationEngine(limits: options.limits)
    tokens = TokenReader(options.tokens, isLoopback: LoopbackName.isOne(options.host))
    administrators = Administrators(secret: options.administratorSecret, allowsOwner: options.allowsOwner)
    databaseName = target.description
    liveQueries = LiveQueries(mostRunning: options.maximumConnections)
  }

  /// Serves while `body` runs. `body` starts when the port is open and the first deployment was attempted.
  ///
  /// - Throws: `HTTPServerError` when the port is taken, `EventLoopError` when no thread is left, or what `body` throws.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    let loop = try EventLoop.started(name: "project-watch", spin: .zero)
    defer { loop.stop() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      let begun = Signal()
      group.addTask(executorPreference: loop) { await self.watch(on: loop, begun: begun) }
      group.addTask(executorPreference: thread.loop) { await self.runLiveQueries(on: self.thread.loop) }
      try await begun.wait(past: 0)
      return try await self.server.withRunning(body)
    }
  }

  private func watch(on loop: EventLoop, begun: Signal) async {
    defer { begun.send() }
    guard options.watches else {
      _ = await deploy()
      return
    }
    let isWatching = await ProjectWatch.run(folder, on: loop) {
      defer { begun.send() }
      return await deploy()
    }
    if isWatching { return }
    var report = await deployer.deploy()
    report.failure = report.failure ?? "The kernel offers no more file watches: changes of the project are not seen."
    deployed(report)
  }

  /// Deploys the project once.
  ///
  /// - Returns: whether another attempt may succeed although no file has changed.
  private func deploy() async -> Bool {
    let report = await deployer.deploy()
    // Editors write files that say nothing, or nothing new.
    if !report.isUnchanged { deployed(report) }
    return report.isDatabaseMissing
  }

  /// Notifies subscribers, the streams of problems and the options' callback of a finished deployment.
  func deployed(_ report: DeploymentReport) {
    if report.isDeployed { liveQueries.deployed() }
    issues.tell(report)
    options.deployed(report)
  }

  private var server: HTTPServer {
    var configuration = HTTPServer.Configuration(port: options.port)
    configuration.host = options.host
    configuration.additionalHostNames = options.additionalHostNames
    configuration.door.allowedOrigins = options.allowedOrigins
    configuration.door.allowsPagesOfThisMachine = true
    configuration.door.admitsFetches = options.admitsFetches
    configuration.loop = thread
    configuration.priorKnowledge = remoteCalls
    configuration.maximumBodyBytes = options.maximumBodyBytes
    configuration.mostConnections = options.mostConnections
    configuration.mostLasting = options.mostStreams
    configuration.requestLog = options.requestLog
    return HTTPServer(configuration: configuration) { await self.respond(to: $0) }
  }
}
