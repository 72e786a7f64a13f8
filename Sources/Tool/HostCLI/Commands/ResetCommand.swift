import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host reset`: lets an extension start again that failed too often.
enum ResetCommand: HostSubcommand {
  static let section = CommandSection.mend

  static let command = Command(
    "reset", summary: "Enable an extension that was disabled because it failed",
    example: "host reset com.example.adventures.today",
    arguments: [CommandArgument("ID", "The extension", values: .identifier)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let id = invocation.parsed.arguments("ID").first ?? ""
    let store = HealthStore(try invocation.state(), log: ConsoleLog(invocation.console))
    if store.record(of: id).failures.isEmpty { try invocation.requireKnown(id) }
    let before = try await store.reset(id)
    if invocation.wantsJSON {
      var object: JSONObject = ["id": .string(id), "wasQuarantined": .bool(before.quarantine != nil)]
      object["consecutiveFailures"] = .integer(Int64(before.consecutive))
      invocation.printJSON(.object(object))
    } else if before.quarantine != nil {
      invocation.console.print("\(id) may start again; it had been disabled.")
    } else {
      invocation.console.print("\(id) may start; it had not been disabled.")
    }
    return .success
  }
}

extension Invocation {
  /// - Throws: `extensionUnknown` with near misses, when no extension has the identifier; one that cannot be used will do.
  func requireKnown(_ id: String) throws {
    let registry = try registry()
    if registry.entry(id) == nil { _ = try registry.enabledExtension(id) }
  }
}
