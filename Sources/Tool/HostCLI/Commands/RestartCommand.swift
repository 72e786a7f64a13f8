import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host restart`: ends the processes that hosts keep of an extension.
enum RestartCommand: HostSubcommand {
  static let section = CommandSection.mend

  static let command = Command(
    "restart", summary: "End the processes of an extension in every running host, and its wait after failures",
    example: "host restart com.example.adventures.today",
    arguments: [CommandArgument("ID", "The extension", values: .identifier)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let id = invocation.parsed.arguments("ID").first ?? ""
    let store = HealthStore(try invocation.state(), log: ConsoleLog(invocation.console))
    try invocation.requireKnown(id)
    let record = try await store.restart(id)
    if invocation.wantsJSON {
      var object: JSONObject = ["id": .string(id), "generation": .integer(Int64(record.generation))]
      object["quarantined"] = .bool(record.quarantine != nil)
      invocation.printJSON(.object(object))
      return .success
    }
    invocation.console.print("\(id): running hosts end its processes within a second; the next start is a new one.")
    if record.quarantine != nil { invocation.console.note("It stays disabled; \"host reset \(id)\" enables it.") }
    return .success
  }
}
