import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectEmulator
import DataConnectMigration
import ExtensionHosting
import ExtensionProtocol
import HTTPServer
import JSON
import Synchronization

/// `host data emulate`: the backend of a service on this machine.
struct DataEmulate {
  static let command = Command(
    "emulate", summary: "Run the whole backend of a service on this machine",
    discussion: discussion,
    example: "host data emulate --dir dataconnect",
    options: options)

  static let discussion = """
    Prints “ready http://127.0.0.1:PORT” and runs until you press Ctrl-C: queries, mutations and subscriptions for \
    clients, and GraphQL for administrators. The data is in a private PostgreSQL below the state folder, which ends \
    with the command, unless --database names another. When a file of the service changes, the emulator uses the new \
    version; after a mistake it uses the last correct one. It leaves alone what a schema change would lose and \
    names it; “host data migrate --allow COLUMN” consents to one such step, and --allow-destructive to all. The lost \
    data is saved to a file first.
    Administrators need the emulator's secret, which the commands of host data read from the folder servers of the \
    state folder. Public clients send “Bearer owner” in its place, which --allow-owner accepts from everybody. \
    Operations cannot run programs or read files on the database's machine, whatever the owner of the database may do.
    """

  static let options: [CommandOption] = [
    .value("port", "N", "The port; 0 takes any free one", default: "9399"),
    DataPlace.database,
    .flag("ephemeral", "Use a new database that is removed at the end"),
    .flag("reset", "Begin without data; the present database is kept under another name"),
    .flag("allow-destructive", "Allow schema changes that lose data, which is saved to a file first"),
    .value(
      "issuer", "URL", "Believe the ID tokens of this identity server alone; else tokens need no signature"),
    .value("audience", "ID", "The client that ID tokens of --issuer are for"),
    .flag("allow-owner", "Let everybody who reaches the port administer the service with “Bearer owner”"),
    .allowFetch, .allowOrigin,
  ]

  private let invocation: Invocation
  private let service: CompiledServices.Service

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    service = try CompiledServices(invocation).only()
  }

  /// Serves until the task is cancelled.
  func run(ready: @escaping @Sendable (String) -> Void) async throws {
    let place = try DataPlace(invocation, service)
    if invocation.parsed.flag("reset") { try await place.reset() }
    let readiness = Readiness(ready)
    let options = try options(place, readiness)
    if options.allowsOwner {
      invocation.console.warn(
        "With --allow-owner every user and every program of this machine that reaches the port may read, change and delete the data, by sending “Authorization: Bearer owner”."
      )
    }
    try await place.withDatabase { target in
      let emulator = try DataConnectEmulator(project: service.folder, target: target, options: options)
      try await invocation.serve(
        emulator, as: "data", secret: options.administratorSecret, admitsFetches: options.admitsFetches,
        ready: { readiness.listens(at: $0) })
    }
  }

  private func options(_ place: DataPlace, _ readiness: Readiness) throws -> DataConnectEmulator.Options {
    let parsed = invocation.parsed
    var options = DataConnectEmulator.Options(dumpFolder: place.dumpFolder)
    options.port = try parsed.integer("port", in: 0...65_535) ?? options.port
    options.allowsLoss = parsed.flag("allow-destructive")
    options.tokens = try TokenPolicy(issuer: parsed.value("issuer"), audience: parsed.value("audience"))
    options.administratorSecret = LocalServers.newSecret()
    options.allowsOwner = parsed.flag("allow-owner")
    options.allowedOrigins = try invocation.allowedOrigins()
    options.admitsFetches = parsed.flag("allow-fetch")
    options.roleKey = try place.roleKey()
    let console = invocation.console
    let hasVectors = service.project?.schema.tables.contains { $0.columns.contains { $0.type.scalar == .vector } }
    options.deployed = { report in
      report.tell(console, isServing: readiness.hasDeployed)
      if report.isDeployed, hasVectors == true, !readiness.hasDeployed {
        console.note(
          "Vectors of texts (_embed, compare_embed) come from a stand-in for the model, which compares spelling and not meaning."
        )
      }
      if report.isDeployed { readiness.isDeployed() }
    }
    options.requestLog = invocation.requestLog
    DescriptorLimit.raise(to: options.descriptors)
    if options.fit(descriptors: DescriptorLimit.soft) {
      console.warn(
        "This process may have \(DescriptorLimit.soft) descriptors: \(options.mostStreams) subscribers and \(options.mostConnections) other clients at once, others are refused."
      )
      console.note("  help: raise the limit (ulimit -Hn, or LimitNOFILE= in a systemd unit).")
    }
    return options
  }
}

/// Says that the emulator is ready when it listens and has deployed the service once.
private final class Readiness: Sendable {
  private let state = Mutex<(url: String?, isDeployed: Bool, isSaid: Bool)>((nil, false, false))
  private let say: @Sendable (String) -> Void

  init(_ say: @escaping @Sendable (String) -> Void) { self.say = say }

  func listens(at url: String) { change { $0.url = url } }
  func isDeployed() { change { $0.isDeployed = true } }
  var hasDeployed: Bool { state.withLock { $0.isDeployed } }

  private func change(_ body: (inout (url: String?, isDeployed: Bool, isSaid: Bool)) -> Void) {
    let url = state.withLock { state -> String? in
      body(&state)
      guard state.isDeployed, !state.isSaid, let url = state.url else { return nil }
      state.isSaid = true
      return url
    }
    if let url { say(url) }
  }
}

extension DeploymentReport {
  /// Prints the result of a deployment on standard error.
  ///
  /// - Parameter isServing: whether an earlier version is in use.
  fileprivate func tell(_ console: Console, isServing: Bool) {
    problems.tell(console)
    for change in breaking {
      let place = change.location.map { "\($0): " } ?? ""
      console.warn("\(place)breaks released clients: \(change.message)")
    }
    for step in refused {
      console.warn("Not executed, because it would lose data: \(step.loss ?? step.sql)")
    }
    if !refused.isEmpty {
      let names = refused.compactMap(\.subject).map { "--allow \($0)" }.joined(separator: " ")
      console.note("  help: “host data diff” shows the statements; “host data migrate \(names)” executes them.")
    }
    for path in dumps { console.note("The data that was removed from the database is saved in \(path).") }
    for notice in notices { console.note("\(notice)") }
    if let failure { console.warn("\(failure)") }
    for step in applied { console.detail("database: \(step.sql)") }
    if isDeployed {
      console.note("The service follows its files.")
    } else if isServing {
      console.note("The new version was not deployed. The previous one stays in use.")
    } else {
      console.note("Nothing is served yet. The emulator tries again when a file changes or the database is there.")
    }
  }
}

/// `host serve data`: what `host data emulate` runs, with the options of `host data` among its own.
enum LocalDataServer: LocalServer {
  static let command = Command(
    "data", summary: DataEmulate.command.summary, discussion: DataEmulate.discussion,
    example: "host serve data --dir dataconnect --port 0", options: DataCommand.place + DataEmulate.options)

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (String) -> Void) async throws {
    try await DataEmulate(invocation).run(ready: ready)
  }

  static func introduction(_ invocation: Invocation, at url: String) -> [ShownText] {
    let host = url.trimmingPrefix("http://")
    let place = url.hasSuffix(":9399") ? "" : "FIREBASE_DATA_CONNECT_EMULATOR_HOST=\(host) "
    return [
      "Serves the Data Connect service in \(invocation.parsed.value("dir") ?? "."), and each edit of its files.",
      "In another terminal fill it: \(place)host data seed FILE, with mutations in FILE.",
      "Then look at it: \(place)host data shell",
    ]
  }
}
