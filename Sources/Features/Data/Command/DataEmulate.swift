import CommandLineTool
import DataConnectCompiler
import DataConnectEmulator
import DataConnectMigration
import ExtensionHosting
import ExtensionProtocol
import HTTPServer
import HostCLI
import JSON

/// `host data emulate`: the backend of a service on this machine.
struct DataEmulate {
  static let command = Command(
    "emulate", summary: "Run the whole backend of a service on this machine",
    discussion: discussion,
    example: "host data emulate --dir dataconnect",
    options: options)

  static let discussion = """
    Prints “ready http://127.0.0.1:PORT” and serves until it is interrupted: queries, mutations and changes for clients, \
    and GraphQL for administrators. The data is in a PostgreSQL of its own below the state folder, which ends with the \
    command, unless --database names another. When a file of the service changes it is served anew; with a mistake in \
    it what was served before goes on. Changes of the schema that would lose data are refused without \
    --allow-destructive, and what is lost is written to a file before.
    """

  static let options: [CommandOption] = [
    .value("port", "N", "The port; 0 takes any free one", default: "9399"),
    DataPlace.database,
    .flag("ephemeral", "Use a database that is gone afterwards"),
    .flag("reset", "Begin without data; what there is is moved aside"),
    .flag("allow-destructive", "Let changes of the schema lose data, which is written to a file before"),
    .value(
      "issuer", "URL", "Believe the ID tokens of this identity server alone; else tokens need no signature"),
    .value("audience", "ID", "The client that ID tokens of --issuer are for"),
  ]

  private let invocation: Invocation
  private let service: CompiledServices.Service

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    service = try CompiledServices(invocation).only()
  }

  /// Serves until the task is cancelled.
  func run(ready: @escaping @Sendable (ServerAddress) -> Void) async throws {
    let place = try DataPlace(invocation, service)
    if invocation.parsed.flag("reset") { try await place.reset() }
    let options = try options(place)
    try await place.withDatabase { target in
      try await DataConnectEmulator(project: service.folder, target: target, options: options).run(ready: ready)
    }
  }

  private func options(_ place: DataPlace) throws -> DataConnectEmulator.Options {
    let parsed = invocation.parsed
    var options = DataConnectEmulator.Options(dumpFolder: place.dumpFolder)
    options.port = try parsed.integer("port", in: 0...65_535) ?? options.port
    options.allowsLoss = parsed.flag("allow-destructive")
    options.tokens = try TokenPolicy(issuer: parsed.value("issuer"), audience: parsed.value("audience"))
    let console = invocation.console
    options.deployed = { $0.tell(console) }
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

extension DeploymentReport {
  /// What became of it, for people on standard error.
  fileprivate func tell(_ console: Console) {
    problems.tell(console)
    for change in breaking {
      let place = change.location.map { "\($0): " } ?? ""
      console.warn("\(place)breaks clients that are shipped: \(change.message)")
    }
    for step in refused {
      console.warn("Not done, since data would be lost: \(step.loss ?? step.sql)")
    }
    if !refused.isEmpty {
      console.note("  help: “host data diff” shows the statements; --allow-destructive carries them out.")
    }
    for path in dumps { console.note("What was removed from the database is in \(path).") }
    for notice in notices { console.note("\(notice)") }
    if let failure { console.warn("\(failure)") }
    for step in applied { console.detail("database: \(step.sql)") }
    if isDeployed {
      console.note("The service is served as its files say.")
    } else {
      console.note("What was served before is served on.")
    }
  }
}
