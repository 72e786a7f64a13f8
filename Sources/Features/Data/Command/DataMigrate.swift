import CommandLineTool
import CommandRuntime
import JSON

/// `host data migrate`: consent for single steps that lose data, while the emulator runs.
struct DataMigrate {
  static let command = Command(
    "migrate", summary: "Let the running emulator change the database, and lose what you name",
    discussion: """
      The emulator applies by itself what loses no data, and names the rest. --allow consents to losing one column \
      (film.minutes), or one table, view or enumeration (film); what is lost is saved to a file first. Without --allow \
      the command lists what is left to decide, and exits with status 1.
      """,
    example: "host data migrate --allow film.minutes",
    options: [
      .value(
        "allow", "NAME", "The column, table, view or enumeration that may lose data; may be repeated",
        isRepeatable: true)
    ] + EmulatorClient.options)

  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let answer = try await EmulatorClient(invocation).migrate(allowing: invocation.parsed.values("allow"))
    let refused = answer["refused"]?.arrayValue ?? []
    let isDone = refused.isEmpty && answer["deployed"]?.boolValue == true
    if invocation.wantsJSON {
      invocation.printJSON(answer)
      return isDone ? .success : .failure
    }
    let console = invocation.console
    for sql in answer["applied"]?.arrayValue ?? [] { console.print("\(sql.stringValue ?? "")") }
    for path in answer["dumps"]?.arrayValue ?? [] {
      console.note("The data that was removed from the database is saved in \(path.stringValue ?? "").")
    }
    for step in refused {
      console.warn("Not executed, because it would lose data: \(step["loss"]?.stringValue ?? "")")
      console.note("  help: host data migrate --allow \(step["subject"]?.stringValue ?? "")")
    }
    if let failure = answer["failure"]?.stringValue { console.warn("\(failure)") }
    if isDone { console.note("The database is as the schema says.") }
    return isDone ? .success : .failure
  }
}
