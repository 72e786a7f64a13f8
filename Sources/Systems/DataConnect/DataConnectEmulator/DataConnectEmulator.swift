package import EventLoop
package import HTTPServer
package import PostgreSQL
import Synchronization

/// A backend of Data Connect on one machine: the schema, queries and mutations of a project, over a PostgreSQL database.
///
/// It speaks the wire form of the public emulator: connectors and administrators by REST, changes by WebSocket.
package final class DataConnectEmulator: StandInServer {
  package let folder: String
  package let options: Options
  let deployer: Deployer
  let engine: OperationEngine
  let tokens: TokenReader
  let liveQueries: LiveQueries
  let issues = IssueStreams()
  /// WebSockets of clients that are open.
  let openStreams = Atomic(0)
  /// Where clients are answered, and the database is asked: a request that comes and goes has no hop between threads
  /// but those of the library that reads it.
  private let thread: LoopThread
  /// What the database is called, without a password.
  let databaseName: Mutex<String>

  /// - Parameters:
  ///   - folder: the one with `dataconnect.yaml`.
  ///   - target: the database, which is changed to fit the schema.
  /// - Throws: why the system gives no thread.
  package init(project folder: String, target: PostgreSQLTarget, options: Options) throws(EventLoopError) {
    self.folder = folder
    self.options = options
    thread = try LoopThread(name: "data-connect")
    deployer = Deployer(folder: folder, target: target, options, on: thread)
    engine = OperationEngine(limits: options.limits)
    tokens = TokenReader(options.tokens, isLoopback: LoopbackName.isOne(options.host))
    databaseName = Mutex(target.description)
    liveQueries = LiveQueries(mostRunning: options.maximumConnections)
  }

  /// Serves while `body` runs, which begins when the port is open and the project was looked at for the first time.
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

  /// - Returns: whether another attempt may succeed though no file changes.
  private func deploy() async -> Bool {
    let report = await deployer.deploy()
    // Editors write files that say nothing, or nothing new.
    if !report.isUnchanged { deployed(report) }
    return report.isDatabaseMissing
  }

  /// Something else is served, or is not.
  func deployed(_ report: DeploymentReport) {
    if report.isDeployed { liveQueries.deployed() }
    issues.tell(report)
    options.deployed(report)
  }

  private var server: HTTPServer {
    var configuration = HTTPServer.Configuration(port: options.port)
    configuration.host = options.host
    configuration.additionalHostNames = options.additionalHostNames
    configuration.loop = thread
    configuration.maximumBodyBytes = options.maximumBodyBytes
    configuration.mostConnections = options.mostConnections
    configuration.mostLasting = options.mostStreams
    return HTTPServer(configuration: configuration) { await self.respond(to: $0) }
  }
}
