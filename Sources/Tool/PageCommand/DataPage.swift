import CommandRuntime
import ExtensionProtocol
import FeatureCommands
import HTML
import HostPage
import JSON
import Text

/// The database of the emulator that runs: its tables with their rows, and a place to run an operation.
struct DataPage: PagePart {
  let name = "data"
  let title = "Data"
  let topics = ["data"]
  let invocation: Invocation

  /// The rows of a table that are shown at once, and the most that can be leafed to.
  private static let (pageSize, deepest) = (50, 1_000_000)
  /// The most characters of a value.
  private static let longest = 200

  func content(_ request: PageRequest) async throws -> HTML {
    guard let client = try await EmulatorClient.running(invocation) else {
      return
        "<p class=\"nothing\">No emulator runs. <code>host data emulate</code> starts one in the folder of a service.</p>"
    }
    let tables = try await names(client)
    let wanted = request.query["table"].flatMap { name in tables.first { $0.hasBytes(of: name) } }
    let from = min(max(request.query["from"].flatMap { Int($0) } ?? 0, 0), Self.deepest)
    let rows: HTML? = if let wanted { try await table(wanted, from: from, client) } else { nil }
    return "\(Self.list(tables, wanted))\(rows)\(form(request, text: Self.example, variables: "{}"))"
  }

  private func names(_ client: EmulatorClient) async throws -> [String] {
    try await rows(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name LIMIT 500",
      client
    ).compactMap { $0["table_name"]?.stringValue }
  }

  /// Reads by a statement that can change nothing.
  private func rows(_ sql: String, _ client: EmulatorClient) async throws -> [JSONValue] {
    let answer = try await client.execute("query { rows: _select(sql: \(JSONValue.string(sql))) }", isReadOnly: true)
    if let error = answer.emulatorErrors.first {
      throw ExtensionError(.serviceUnavailable, "The emulator cannot read that: \(error)")
    }
    return answer["data"]?["rows"]?.arrayValue ?? []
  }

  /// The names of the tables, with the one that is shown.
  static func list(_ tables: [String], _ wanted: String?) -> HTML {
    guard !tables.isEmpty else { return "<p class=\"nothing\">The database has no tables.</p>" }
    let items: [HTML] = tables.map { table in
      let current: HTML = wanted?.hasBytes(of: table) == true ? " aria-current=\"true\"" : ""
      return """
        <li><a class="button" href="data?table=\(PageAddress.encoded(table))"\(current)><code>\(foreign: table, most: 80)</code></a></li>
        """
    }
    return "<nav aria-label=\"Tables\" data-key=\"tables\"><ul class=\"buttons\">\(items)</ul></nav>"
  }

  private func table(_ name: String, from: Int, _ client: EmulatorClient) async throws -> HTML {
    let quoted = name.quoted("\"")
    // One more than is shown tells whether there is a next page.
    let read = try await rows("SELECT * FROM \(quoted) OFFSET \(from) LIMIT \(Self.pageSize + 1)", client)
    return Self.table(name, from: from, read)
  }

  /// A page of a table, of the rows that were read.
  static func table(_ name: String, from: Int, _ read: [JSONValue]) -> HTML {
    let shown = read.prefix(pageSize)
    var columns: [String] = []
    for row in shown {
      for (column, _) in row.objectValue ?? [:] where !columns.contains(where: { $0.hasBytes(of: column) }) {
        columns.append(column)
      }
    }
    let heads: [HTML] = columns.map { "<th scope=\"col\"><code>\(foreign: $0, most: 80)</code></th>" }
    let lines: [HTML] = shown.map { row in
      let cells: [HTML] = columns.map { "<td class=\"long\">\(cell(row[$0]))</td>" }
      return "<tr>\(cells)</tr>"
    }
    let address = "data?table=\(PageAddress.encoded(name))&from="
    let before: HTML? =
      from > 0 ? "<a class=\"button\" href=\"\(address)\(max(0, from - pageSize))\">Rows before</a>" : nil
    let after: HTML? =
      read.count > shown.count && from < deepest
      ? "<a class=\"button\" href=\"\(address)\(from + pageSize)\">More rows</a>" : nil
    let rows: HTML =
      shown.isEmpty
      ? "<p class=\"nothing\">No rows\(from > 0 ? " any more" : "").</p>"
      : "<table class=\"list\"><thead><tr>\(heads)</tr></thead><tbody>\(lines)</tbody></table>"
    return """
      <section class="panel" data-key="table"><h2><code>\(foreign: name, most: 80)</code></h2><p class="faint">\
      \(shown.isEmpty ? "" : "Rows \(from + 1) to \(from + shown.count)")</p><div class="wide">\(rows)</div>\
      <p class="buttons">\(before)\(after)</p></section>
      """
  }

  private static func cell(_ value: JSONValue?) -> HTML {
    switch value {
    case nil, .null: "<span class=\"faint\">null</span>"
    case .string(let text): "\(foreign: text, most: longest)"
    case let value?: "<span class=\"value\">\(foreign: value.description, most: longest)</span>"
    }
  }

  // MARK: An operation

  private static let example = "query { __schema { queryType { fields { name } } } }"
  private static let longestText = 100_000

  private func form(_ request: PageRequest, text: String, variables: String, writes: Bool = false) -> HTML {
    let checked: HTML = writes ? " checked" : ""
    return """
      <section class="panel" data-key="operation"><h2>Run an operation</h2><form method="post" class="stack">\
      <input type="hidden" name="form" value="\(request.formKey)"><input type="hidden" name="do" value="run">\
      <p><label for="operation">GraphQL</label><br><textarea id="operation" name="operation" rows="6" cols="60" \
      spellcheck="false" required>\(text)</textarea></p><p><label for="variables">Variables, as JSON</label><br>\
      <textarea id="variables" name="variables" rows="3" cols="60" spellcheck="false">\(variables)</textarea></p>\
      <p><label><input type="checkbox" name="writes" value="yes"\(checked)> It may change data</label></p>\
      <p class="buttons"><button class="primary" id="run">Run</button></p></form></section>
      """
  }

  /// The variables of an operation as they were typed; `nil` where nothing was.
  static func variables(_ typed: String) throws(ExtensionError) -> JSONValue? {
    guard !typed.allSatisfy(\.isWhitespace) else { return nil }
    let variables: JSONValue
    do { variables = try JSONCoding.parse(Array(typed.utf8)) } catch {
      throw ExtensionError(
        .invalidParams, "The variables are not JSON: \(error)", recovery: "Write an object: {\"id\": 1}.")
    }
    guard variables.objectValue != nil else {
      throw ExtensionError(.invalidParams, "The variables are no object.", recovery: "Write an object: {\"id\": 1}.")
    }
    return variables
  }

  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard request.form["do"] == "run", let text = request.form["operation"] else { return .missing }
    let (typed, writes) = (request.form["variables"] ?? "", request.form["writes"] == "yes")
    guard text.utf8.count <= Self.longestText, typed.utf8.count <= Self.longestText else {
      throw ExtensionError(.invalidParams, "The operation and its variables may have \(Self.longestText) bytes each.")
    }
    let variables = try Self.variables(typed)
    guard let client = try await EmulatorClient.running(invocation) else {
      throw ExtensionError(
        .serviceUnavailable, "No emulator runs.", recovery: "Run “host data emulate” in the folder of the service.")
    }
    let answer: JSONValue
    do {
      answer = try await client.execute(text, variables: variables, isReadOnly: !writes, tellsStatements: true)
    } catch let failure as Failure {
      throw failure.error
    }
    let data: HTML? = answer["data"].map {
      """
      <pre tabindex="0" aria-label="The answer">\(foreign: JSONCoding.prettyText(of: $0), most: 60_000)</pre>
      """
    }
    return .show(
      """
      <section class="panel" data-key="answer"><h2>The answer</h2>\(Self.errors(answer))\(data)\
      \(Self.statements(answer))\
      <p><a href="data">All tables</a></p></section>\
      \(form(request, text: text, variables: typed, writes: writes))
      """)
  }

  /// The first twenty errors.
  static func errors(_ answer: JSONValue) -> HTML? {
    let errors: [HTML] = answer.emulatorErrors.prefix(20).map { "<p>\(foreign: $0, most: 1_000)</p>" }
    return errors.isEmpty ? nil : "<div class=\"failure\">\(errors)</div>"
  }

  /// The SQL that each field became, without the values.
  static func statements(_ answer: JSONValue) -> HTML? {
    let told = answer["extensions"]?["annex"]?["statements"]?.arrayValue ?? []
    guard !told.isEmpty else { return nil }
    let items: [HTML] = told.prefix(100).map { statement in
      guard let sql = statement["sql"]?.stringValue else { return "<p class=\"faint\">and more</p>" }
      let path = (statement["path"]?.arrayValue ?? []).map { $0.stringValue ?? "\($0)" }.joined(separator: ".")
      return """
        <h4><code>\(foreign: path, most: 120)</code></h4><pre class="sql" tabindex="0" aria-label="SQL">\
        \(foreign: sql, most: 20_000)</pre>
        """
    }
    return """
      <h3>The SQL that it became</h3><p class="faint">$1, $2 and so on stand for the values, which the database gets beside \
      the text.</p>\(items)
      """
  }
}
