import CommandLineTool
import CommandRuntime

/// `host data`: a service of Data Connect from its schema to the Swift that calls it.
enum DataCommand: HostSubcommand {
  static let section = CommandSection.data

  static let command = Command(
    "data", summary: "Compile a service of Data Connect, and generate the Swift packages of its connectors",
    discussion: """
      A service is a folder with dataconnect.yaml. The command uses the folder that --dir names, the services that a \
      firebase.json there names, or those below it. It prints each problem as file:line:column on standard error, \
      with advice, and exits with status 65.
      """,
    example: "host data generate --watch",
    options: place,
    subcommands: [
      compile, generate, initialize, DataEmulate.command, DataSeed.command, DataExecute.command, DataShell.command,
      DataDiff.command,
      DataMigrate.command,
    ])

  /// The options that say which services a command is about.
  static let place: [CommandOption] = [
    .value("dir", "DIR", "The folder of the service, or one above it", default: ".", values: .directory),
    .value("service", "ID", "Only the service with this serviceId"),
  ]
  private static let connector = CommandOption.value("connector", "ID", "Only the connector with this connectorId")
  private static let annex = CommandOption.value(
    "annex", "PATH|URL", "Where the packages find this one, the product DataConnect; else the development build's",
    values: .directory)

  private static let compile = Command(
    "compile", summary: "Check the schema and every operation",
    discussion: """
      With --against, nothing may break clients that were released: no removed operation, no new variable without a \
      default value, no changed field, type or value of an enumeration. The command prints each such change and exits \
      with status 1.
      """,
    example: "host data compile --dir dataconnect --against ../released/dataconnect",
    options: [
      .value(
        "emit", "WHAT", "Write what the schema expands to into .dataconnect/schema beside dataconnect.yaml",
        values: .choices(["expansion"])),
      .value("against", "DIR", "The same services as they were released", values: .directory),
    ])

  private static let generate = Command(
    "generate", summary: "Write the Swift packages that the connector.yaml files ask for",
    discussion: """
      Files that are up to date stay untouched, and files that an earlier run made and this one does not are removed. \
      With --watch the command runs again whenever a file changes, until you press Ctrl-C; while there are errors, \
      the last correct packages stay.
      """,
    example: "host data generate --service movies --connector default",
    options: [.flag("watch", "Generate again whenever a file changes"), connector, annex])

  private static let initialize = Command(
    "init", summary: "Set up a service for the Swift package that uses it",
    discussion: """
      Asks for a Swift package in the connector.yaml of each connector, which keeps its comments, generates it, and \
      adds it to the dependencies of your Swift package. That package is found below the folder, above it, or \
      elsewhere in the project; among several the command asks. It replaces nothing. Without any service it makes a \
      first one, in the folder that firebase.json names, else in dataconnect.
      """,
    example: "host data init --dir .",
    options: [
      annex, .value("package", "DIR", "Your Swift package", values: .directory),
      .value("target", "NAME", "The target that uses the service; else its only executable, or only target"),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    switch invocation.parsed.path[1] {
    case "compile": return try DataCompile(invocation).run()
    case "generate": return try await DataGenerate(invocation).run()
    case "emulate":
      try await invocation.serving {
        LocalDataServer.introduction(invocation, at: $0)
      } _: {
        try await LocalDataServer.run(invocation, ready: $0)
      }
      return .success
    case "seed": return try await DataSeed(invocation).run()
    case "execute": return try await DataExecute(invocation).run()
    case "shell": return try await DataShell(invocation).run()
    case "diff": return try await DataDiff(invocation).run()
    case "migrate": return try await DataMigrate(invocation).run()
    default: return try await DataSetup(invocation).run()
    }
  }
}
