import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import JSON

/// `host data shell`: SQL and GraphQL for a person, answered by the emulator.
struct DataShell {
  static let command = Command(
    "shell", summary: "Query the database of the emulator in SQL and GraphQL",
    discussion: """
      A statement of SQL ends with a semicolon; one of GraphQL ends with its closing brace. Statements come from the \
      terminal, from -c, or from standard input, and rows are printed as tables. Statements can change data only with \
      --write.
      """,
    example: "host data shell -c 'SELECT title FROM movie;'",
    options: [
      .value("command", short: "c", "TEXT", "Execute this statement and end", isRepeatable: true),
      .flag("write", "Let statements change the data"),
    ] + EmulatorClient.options)

  private static let limit = 4 << 20
  private let invocation: Invocation
  private let client: EmulatorClient

  init(_ invocation: Invocation) async throws {
    self.invocation = invocation
    client = try await EmulatorClient(invocation)
  }

  func run() async throws -> ExitStatus {
    let commands = invocation.parsed.values("command")
    if commands.isEmpty, Dialogue.isPossible(invocation) { return try await talk() }
    let texts: [String]
    if commands.isEmpty {
      let bytes = try InputFile.read("-", limit: Self.limit)
      guard let input = String(validating: bytes, as: UTF8.self) else {
        throw InputError(message: "Standard input is not text in UTF-8.")
      }
      texts = [input]
    } else {
      texts = commands
    }
    var isGood = true
    for text in texts {
      var reader = StatementReader()
      for statement in reader.add(text) + [reader.rest].compactMap(\.self) {
        isGood = try await answer(statement) && isGood
      }
    }
    return isGood ? .success : .failure
  }

  private func talk() async throws -> ExitStatus {
    try await Dialogue.with(invocation) { dialogue in
      dialogue.say(
        "SQL ends with “;”, GraphQL with its last brace. Ctrl-D ends. Data \(isWriting ? "can" : "cannot") be changed.")
      var reader = StatementReader()
      while let line = try await dialogue.ask(reader.isBegun ? "...>" : "data>") {
        for statement in reader.add(line + "\n") {
          do { _ = try await answer(statement) } catch {
            if error is CancellationError { throw error }
            let refusal = Failure(error).error
            invocation.console.fail("\(refusal.message)", help: refusal.recovery.map { "\($0)" })
          }
        }
      }
      return .success
    }
  }

  private var isWriting: Bool { invocation.parsed.flag("write") }

  // MARK: One statement

  /// - Returns: whether nothing was wrong.
  private func answer(_ statement: ShellStatement) async throws -> Bool {
    let answer: JSONValue
    switch statement {
    case .graphQL(let text): answer = try await client.execute(text, isReadOnly: !isWriting)
    case .sql(let text):
      let field = statement.field(isWriting: isWriting)
      // SQL is not sent as a variable, because it is the developer's own. A JSON string is also a GraphQL string.
      answer = try await client.execute(
        "\(field == "_select" ? "query" : "mutation") { rows: \(field)(sql: \(JSONValue.string(text))) }",
        isReadOnly: !isWriting)
    }
    let errors = answer.emulatorErrors
    if invocation.wantsJSON {
      invocation.printJSONLine(answer)
    } else {
      if let data = answer["data"]?.objectValue { show(data) }
      for error in errors { invocation.console.fail("\(error)", help: Self.help(for: error, statement)) }
    }
    return errors.isEmpty
  }

  /// What to type after an error of the database or of the schema.
  private static func help(for error: String, _ statement: ShellStatement) -> ShownText {
    let words = error.lowercased()
    if words.contains("read-only") || words.contains("read only") || words.contains("--write") {
      return "Run “host data shell --write” to change the data."
    }
    switch statement {
    case .sql where words.contains("does not exist"):
      return "“SELECT table_name FROM information_schema.tables WHERE table_schema = 'public';” lists the tables."
    case .sql: return "A statement is SQL of PostgreSQL and ends with a semicolon: SELECT * FROM movie LIMIT 5;"
    case .graphQL: return "“query { __schema { queryType { fields { name } } } }” lists the queries that there are."
    }
  }

  private func show(_ data: JSONObject) {
    for (name, value) in data where !value.isNull {
      if data.count > 1 || name != "rows" { invocation.console.note("\(name):") }
      if let rows = value.arrayValue, rows.allSatisfy({ $0.objectValue != nil }) {
        show(rows)
      } else {
        invocation.printJSON(value)
      }
    }
  }

  private func show(_ rows: [JSONValue]) {
    var names: [String] = []
    for row in rows { for (name, _) in row.objectValue ?? [:] where !names.contains(name) { names.append(name) } }
    if !names.isEmpty {
      var table = TextTable(names.map { .init($0) })
      for row in rows { table.add(names.map { .init(row[$0].map(Self.text) ?? "") }) }
      invocation.console.print(table)
    }
    invocation.console.note("\(rows.count) \(rows.count == 1 ? "row" : "rows")")
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    default: value.description
    }
  }
}
