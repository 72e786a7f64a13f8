package import DataConnectCompiler
package import DataConnectMigration
import EventLoop
import GraphQL
import PostgreSQL
import Synchronization

/// Deploys a project's files, one attempt at a time.
actor Deployer {
  private let folder: String
  private let options: DataConnectEmulator.Options
  private let thread: LoopThread
  private let target: PostgreSQLTarget
  private let role: OperationRole
  private var maximumConnections: Int
  private var database: Database?
  private var count: UInt64 = 0
  /// What may be lost in the present attempt.
  private var consent: Set<String> = []
  /// The files of the last attempt, if it succeeded.
  private var lastFiles: CompiledProject.Files?
  /// The steps of the last change of the database that would have lost data.
  private var refused: [MigrationPlan.Step] = []
  private var isBusy = false
  private let done = Signal()
  private let state = Mutex<Deployment?>(nil)

  /// The connections to the database.
  private struct Database {
    /// For changes of the schema.
    let owner: PostgreSQLPool
    /// For operations: the owner's, unless that is a role that may do more than change rows and tables.
    let operations: PostgreSQLPool
  }

  /// - Parameter thread: where the database is asked.
  init(folder: String, target: PostgreSQLTarget, _ options: DataConnectEmulator.Options, on thread: LoopThread) {
    self.folder = folder
    self.options = options
    self.thread = thread
    self.target = target
    role = OperationRole(key: options.roleKey)
    maximumConnections = options.maximumConnections
  }

  /// The current deployment; `nil` until one has succeeded.
  nonisolated var current: Deployment? { state.withLock { $0 } }

  /// Deploys the project's current files. The previous deployment stays in use when the files have errors, the database
  /// cannot be reached, or rows would be lost.
  func deploy() async -> DeploymentReport { await inTurn { await $0.attempt() } }

  /// Deploys the project with another number of connections.
  ///
  /// - Parameter most: the most connections; `nil` keeps the present limit.
  func deploy(maximumConnections most: Int?) async -> DeploymentReport {
    await inTurn { deployer in
      let before = (deployer.maximumConnections, deployer.database)
      deployer.maximumConnections = most ?? deployer.maximumConnections
      deployer.database = nil
      let report = await deployer.attempt()
      if !report.isDeployed { (deployer.maximumConnections, deployer.database) = before }
      return report
    }
  }

  /// Deploys the project with consent to lose what is named.
  ///
  /// - Parameter subjects: columns (`film.minutes`), tables, views and enumerations, by their names in the database.
  func deploy(losing subjects: Set<String>) async -> DeploymentReport {
    await inTurn { deployer in
      deployer.lastFiles = nil
      deployer.consent = subjects
      defer { deployer.consent = [] }
      return await deployer.attempt()
    }
  }

  /// Returns what the database lacks to be as the project's files say, and changes nothing.
  ///
  /// - Throws: `RequestFailure` when the files have errors, or the database does not answer.
  func difference() async throws(RequestFailure) -> MigrationPlan {
    let folder = folder
    let result = await SystemThread.run(name: "diff", { CompiledProject.compile(folder) })
    guard let project = result.project else {
      throw RequestFailure(
        .failedPrecondition, "The service has \(result.problems.count(where: { $0.severity == .error })) errors.")
    }
    let settings = project.project.configuration.database
    do throws(PostgreSQLError) {
      let database: Database
      if let present = self.database { database = present } else { database = try await connect() }
      self.database = database
      return try await database.owner.withConnection(within: .seconds(60)) {
        (connection) async throws(PostgreSQLError) in
        try await DatabaseMigration.plan(
          project.schema, namespace: settings?.schema ?? "public", on: connection,
          ignoringUnknown: settings?.validation == .compatible)
      }
    } catch {
      throw RequestFailure(.unavailable, "\(error.message) \(error.recovery)")
    }
  }

  /// Whether a connection string of a request is the one of the command line.
  nonisolated func isOwn(_ text: String) -> Bool { target.isWritten(text) }

  private func inTurn(_ body: (isolated Deployer) async -> DeploymentReport) async -> DeploymentReport {
    while isBusy {
      let count = done.count
      guard (try? await done.wait(past: count)) != nil else { return DeploymentReport() }
    }
    isBusy = true
    defer {
      isBusy = false
      done.send()
    }
    return await body(self)
  }

  private func attempt() async -> DeploymentReport {
    var report = DeploymentReport()
    let folder = folder
    let result = await SystemThread.run(name: "deploy", { DeployedProject.read(folder) })
    report.problems = result.problems
    let before = lastFiles
    lastFiles = nil
    guard let project = result.project else { return report }
    if let before, before == project.project.files, current?.pool === database?.operations {
      lastFiles = before
      (report.isDeployed, report.isUnchanged) = (true, true)
      return report
    }
    report.breaking = project.breaking(current)
    do throws(PostgreSQLError) {
      let database: Database
      if let present = self.database { database = present } else { database = try await connect() }
      self.database = database
      guard try await migrate(project.project, on: database, &report) else { return report }
      count += 1
      let deployment = Deployment(
        service: project.project.project.configuration, schema: project.project.schema,
        connectors: project.connectors, expressions: project.expressions, pool: database.operations, number: count)
      state.withLock { $0 = deployment }
      lastFiles = project.project.files
      report.isDeployed = true
    } catch {
      report.failure = "\(error.message) \(error.recovery)"
      report.isDatabaseMissing = error.isRetryable || error.kind == .timedOut
    }
    return report
  }

  /// Changes the database to match the schema.
  ///
  /// - Returns: whether the database matches the schema.
  private func migrate(
    _ project: CompiledProject, on database: Database, _ report: inout DeploymentReport
  ) async throws(PostgreSQLError) -> Bool {
    // Most changes are of operations, which need nothing of the database.
    if let current, consent.isEmpty, current.pool === database.operations,
      current.schema.sources == project.schema.sources,
      current.service.database == project.project.configuration.database
    {
      report.refused = refused
      return true
    }
    let migration = SchemaMigration(
      schema: project.schema, database: project.project.configuration.database,
      consent: options.allowsLoss ? .everything : .only(consent), dumpFolder: options.dumpFolder)
    let outcome = try await migration.run(on: database.owner)
    (report.applied, report.refused, report.dumps) = (outcome.applied, outcome.refused, outcome.dumps)
    (report.notices, report.failure) = (outcome.notices, outcome.failure)
    refused = outcome.refused
    if outcome.isServable, database.owner !== database.operations {
      try await role.grant(project.project.configuration.database?.schema ?? "public", by: database.owner)
    }
    return outcome.isServable
  }

  /// Makes connections to the database, and the role of operations where they need one.
  private func connect() async throws(PostgreSQLError) -> Database {
    let owner = makePool(target)
    guard let own = try await role.prepare(target, by: owner) else { return Database(owner: owner, operations: owner) }
    return Database(owner: owner, operations: makePool(own))
  }

  private func makePool(_ target: PostgreSQLTarget) -> PostgreSQLPool {
    var options = PostgreSQLPool.Options(target: target.scanningInOrder)
    options.maximumCount = max(1, maximumConnections)
    return PostgreSQLPool(options, on: thread)
  }
}

extension CompiledProject {
  /// Everything that it was made of.
  fileprivate struct Files: Equatable {
    let service: ServiceConfiguration
    let schema: [GraphQLSource]
    let connectors: [ConnectorConfiguration: [GraphQLSource]]
  }

  fileprivate var files: Files {
    Files(
      service: project.configuration, schema: project.schema,
      connectors: Dictionary(project.connectors.map { ($0.configuration, $0.sources) }) { first, _ in first })
  }
}

/// What became of an attempt to serve what the files of a project say.
package struct DeploymentReport: Sendable {
  /// Whether it is served now. Otherwise what was served before still is.
  package var isDeployed = false
  /// Whether it has been served already: no file says anything else.
  package var isUnchanged = false
  /// Everything that is wrong with the files, or may be.
  package var problems: [CompilerProblem] = []
  /// What clients do not survive that know what was served before.
  package var breaking: [BreakingChange] = []
  /// What was changed in the database.
  package var applied: [MigrationPlan.Step] = []
  /// What was not, since something would be lost.
  package var refused: [MigrationPlan.Step] = []
  /// The files with what was removed from the database.
  package var dumps: [String] = []
  /// What is worth knowing of the database.
  package var notices: [String] = []
  /// Why the database was of no use, as one sentence.
  package var failure: String?
  /// Whether the database could not be reached; it is tried again.
  package var isDatabaseMissing = false

  package init() {}
}
