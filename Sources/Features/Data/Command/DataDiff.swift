import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectEmulator
import DataConnectMigration
import EventLoop
import ExtensionProtocol
import JSON
import PostgreSQL

/// `host data diff`: what a database lacks to be as the schema says.
struct DataDiff {
  static let command = Command(
    "diff", summary: "Print the SQL that makes the database follow the schema",
    discussion: """
      Nothing is changed. The exit status is 1 when there are statements to execute. While “host data emulate” runs, \
      it executes those that lose no data, and answers this command; “host data migrate” executes the others.
      """,
    example: "host data diff --dir dataconnect", options: [DataPlace.database] + EmulatorClient.options)

  private static let limit = Duration.seconds(60)
  private let invocation: Invocation
  private let service: CompiledServices.Service

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    service = try CompiledServices(invocation).only()
  }

  func run() async throws -> ExitStatus {
    service.problems.tell(invocation.console)
    guard let project = service.project else { return .dataError }
    let named = invocation.parsed.value("database") ?? ""
    if named.isEmpty, let client = try await EmulatorClient.running(invocation, for: project.project) {
      return tell(try await client.difference())
    }
    let plan = try await DataPlace(invocation, service).withDatabase { (target) async throws -> MigrationPlan in
      try await self.plan(project, target)
    }
    return tell(.object(plan.document))
  }

  /// Prints a plan as the emulator writes it.
  func tell(_ plan: JSONValue) -> ExitStatus {
    let steps = plan["steps"]?.arrayValue ?? []
    let isEmpty = steps.isEmpty && plan["obstacles"]?.arrayValue?.isEmpty != false
    if invocation.wantsJSON {
      invocation.printJSON(plan)
    } else if isEmpty {
      invocation.console.note("The database is as the schema says.")
    } else {
      invocation.console.write(data: plan["sql"]?.stringValue ?? "")
    }
    for loss in steps.compactMap({ $0["loss"]?.stringValue }) { invocation.console.warn("\(loss)") }
    return isEmpty ? .success : .failure
  }

  private func plan(_ project: CompiledProject, _ target: PostgreSQLTarget) async throws -> MigrationPlan {
    let database = project.project.configuration.database
    do throws(PostgreSQLError) {
      let connection = try await PostgreSQLConnection.connect(to: target, on: invocation.loop, within: Self.limit)
      let plan = try await DatabaseMigration.plan(
        project.schema, namespace: database?.schema ?? "public", on: connection,
        ignoringUnknown: database?.validation == .compatible)
      await connection.close()
      return plan
    } catch {
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
  }
}
