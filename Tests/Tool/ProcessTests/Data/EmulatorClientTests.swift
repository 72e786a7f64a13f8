import Foundation
import HTTPServer
import JSON
import JSONRPC
import Synchronization
import Testing

/// An emulator without a database: it answers what a test says, and keeps what it was asked.
private final class SpokenEmulator: Sendable {
  struct Asked: Sendable {
    let path: String
    let authorization: String?
    let body: JSONValue
  }

  private let answers = Mutex<[String]>([])
  private let heard = Mutex<[Asked]>([])
  private let info: (status: Int, text: String)

  init(info: (status: Int, text: String)) { self.info = info }

  /// What was asked since this was read last, without the first question for the services.
  func asked() -> [Asked] {
    heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
  }

  /// The answers to the next questions; each is JSON, or a status and JSON behind it.
  func say(_ texts: String...) { answers.withLock { $0 = texts } }

  func answer(_ request: ServerRequest) -> ServerResponse {
    if request.path == "/emulator/info" { return ServerResponse(status: info.status, text: info.text) }
    heard.withLock {
      $0.append(
        Asked(
          path: request.path, authorization: request.headers.first { $0.name == "Authorization" }?.value,
          body: (try? JSONCoding.parse(request.body)) ?? .null))
    }
    let text = answers.withLock { $0.isEmpty ? "{}" : $0.removeFirst() }
    let status = text.first == "{" ? nil : text.split(separator: " ").first.flatMap { Int($0) }
    return ServerResponse(status: status ?? 200, text: status == nil ? text : String(text.dropFirst(4)))
  }
}

/// What the commands of `host data` ask an emulator, and what they make of its answers.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct `A command that asks an emulator` {
  private static let services =
    #"{"services": [{"serviceId": "a/b"}, {"serviceId": "movies", "location": "us-east4"}, {"serviceId": "other"}]}"#

  private func withEmulator(
    _ info: (status: Int, text: String) = (200, services),
    _ body: (HostTool, SpokenEmulator) async throws -> Void
  ) async throws {
    let emulator = SpokenEmulator(info: info)
    let server = HTTPServer { emulator.answer($0) }
    try await server.withRunning { address in
      var host = try HostTool()
      host.variables["FIREBASE_DATA_CONNECT_EMULATOR_HOST"] = String(address.url.dropFirst("http://".count))
      try await body(host, emulator)
    }
  }

  private func data(_ host: HostTool, _ words: String..., input: String = "") async throws -> Program.Output {
    try await host.start(["data"] + words, input: .text(input)).finish()
  }

  // MARK: The shell

  @Test func `sends each statement of a shell, and shows rows as a table`() async throws {
    try await withEmulator { host, emulator in
      emulator.say(
        #"{"data": {"rows": [{"a": 1, "b": null}, {"b": "x", "c": [1]}]}}"#,
        #"{"data": {"rows": [{"a": "only"}]}}"#)
      let shown = try await data(host, "shell", "-c", "SELECT 'é'", "-c", "VALUES (1)")
      #expect(shown.status == 0 && shown.stdout == "a  b  c\n1\n   x  [1]\na\nonly\n", "\(shown)")
      #expect(shown.stderr == "2 rows\n1 row\n", "\(shown)")
      let asked = emulator.asked()
      let place = "/v1/projects/demo/locations/us-east4/services/movies:executeGraphqlRead"
      #expect(asked.map(\.path) == [place, place], "\(asked)")
      #expect(
        asked.map { $0.body["query"] } == [
          "query { rows: _select(sql: \"SELECT 'é'\") }", "query { rows: _select(sql: \"VALUES (1)\") }",
        ])
      #expect(asked.allSatisfy { $0.authorization == nil })

      emulator.say(
        #"{"data": {"films": [{"t": 1}], "count": 5, "none": null, "names": ["a"]}}"#, #"{"data": {"rows": []}}"#)
      let written = try await data(
        host, "shell", "--write", input: "{ films { t } }\nINSERT INTO film VALUES (1) RETURNING id")
      #expect(written.status == 0 && written.stdout == "t\n1\n5\n[\n  \"a\"\n]\n", "\(written)")
      #expect(written.stderr == "films:\n1 row\ncount:\nnames:\n0 rows\n", "\(written)")
      let wrote = emulator.asked()
      #expect(wrote.allSatisfy { $0.path.hasSuffix("/services/movies:executeGraphql") }, "\(wrote)")
      #expect(
        wrote.map { $0.body["query"] } == [
          "{ films { t } }", "mutation { rows: _executeReturning(sql: \"INSERT INTO film VALUES (1) RETURNING id\") }",
        ])

      emulator.say(#"{"data": null, "errors": [{"message": "m"}]}"#, #"{"data": {"rows": []}}"#)
      let lines = try await data(host, "shell", "--json", "-c", "x", "-c", "y")
      #expect(lines.status == 1 && lines.stdout.split(separator: "\n").count == 2 && lines.stderr == "", "\(lines)")

      // Nothing that one leaves open takes in the next.
      _ = emulator.asked()
      let open = try await data(host, "shell", "-c", "SELECT 1 -- a", "-c", "{ a", "-c", "SELECT 2")
      #expect(open.status == 0, "\(open)")
      #expect(
        emulator.asked().map { $0.body["query"] } == [
          "query { rows: _select(sql: \"SELECT 1 -- a\") }", "{ a", "query { rows: _select(sql: \"SELECT 2\") }",
        ])
    }
  }

  @Test func `says what to type after an error of the database`() async throws {
    try await withEmulator { host, emulator in
      for (statement, error, help) in [
        ("DELETE FROM a", "cannot execute in a read-only transaction", "--write"),
        ("SELECT 1", "Read Only", "--write"), ("SELECT 1", "Give --write.", "--write"),
        ("SELECT a", "relation does not exist", "lists the tables"), ("SELEC", "syntax error", "ends with a semicolon"),
        ("{ a }", "field does not exist", "lists the queries that there are"),
      ] {
        emulator.say(#"{"data": null, "errors": [{"message": "\#(error)", "path": ["rows"]}]}"#)
        let output = try await data(host, "shell", "-c", statement)
        #expect(output.status == 1 && output.stdout == "", "\(output)")
        #expect(output.stderr.hasPrefix("error: rows: \(error)\nhelp: ") && output.stderr.contains(help), "\(output)")
      }
    }
  }

  @Test func `goes on at a terminal behind what is refused, until the input ends`() async throws {
    try await withEmulator { host, emulator in
      emulator.say(#"400 {"message": "bad"}"#, "500 {}", "200 <html>", #"{"data": {"rows": [{"a": 1}]}}"#)
      let shell = try host.atTerminal("data", "shell")
      try await shell.hear("data>")
      for said in ["refused: bad", "refused: status 500", "What answers at"] {
        shell.type("SELECT 1;\n")
        try await shell.hear(said, then: "data>")
      }
      shell.type("SELECT\n")
      try await shell.hear("...>")
      shell.type("1;\n")
      try await shell.hear("1 row", then: "data>")
      shell.type("\u{4}")
      let (text, status) = try await shell.finish()
      #expect(status == 0, "\(text)")
      #expect(emulator.asked().last?.body["query"] == #"query { rows: _select(sql: "SELECT\n1") }"#)
    }
  }

  // MARK: Operations

  @Test func `sends an operation with its variables, for whom it is executed`() async throws {
    try await withEmulator { host, emulator in
      let file = try host.folder.write("a.gql", "query A { a }\nquery B { b }\n")
      let variables = try host.folder.write("v.json", #"{"t": "é"}"#)
      emulator.say(#"{"data": {"a": 1}, "errors": [{"message": "half"}]}"#)
      let half = try await data(host, "execute", file, "A", "-v", #"{"n": 2}"#, "--as", "alice")
      #expect(half.status == 1 && half.stdout == "{\n  \"a\": 1\n}\n" && half.stderr == "error: half\n", "\(half)")
      emulator.say(#"{"data": {"b": 2}}"#, #"{"errors": [{"message": "no"}]}"#)
      let nobody = try await data(host, "execute", file, "B", "-v", "@\(variables)", "--as", "nobody")
      #expect(nobody.status == 0, "\(nobody)")
      let failed = try await data(host, "execute", file, "--as", #"{"sub": "x"}"#, "--json")
      #expect(
        try failed.status == 1 && failed.json["errors"]?[0]?["message"] == "no" && failed.stderr == "", "\(failed)")
      _ = try await data(host, "execute", "-", "-v", "@-", "--as", "@\(variables)", input: "")
      let asked = emulator.asked()
      #expect(asked.map { $0.body["operationName"] } == ["A", "B", nil], "\(asked)")
      #expect(asked.map { $0.body["variables"] } == [["n": 2], ["t": "é"], nil])
      #expect(
        asked.map { $0.body["extensions"]?["impersonate"] } == [
          ["authClaims": ["sub": "alice"]], ["unauthenticated": true], ["authClaims": ["sub": "x"]],
        ])
      #expect(asked.allSatisfy { $0.path.hasSuffix(":executeGraphql") && $0.body["query"] != nil })
      for (words, message) in [
        (["-v", "{"], "--variables is not JSON: "), (["-v", "[1]"], "--variables is not a JSON object."),
        (["--as", "{"], "--as is not JSON: "),
      ] {
        let output = try await host(["data", "execute", file, "A"] + words)
        #expect(output.status == 64 && output.stderr.contains(message), "\(output)")
      }
    }
  }

  // MARK: Changes of the database

  @Test func `names what a migration did, and what it left`() async throws {
    try await withEmulator { host, emulator in
      emulator.say(
        #"""
        {"deployed": true, "applied": ["ALTER TABLE a"], "dumps": ["/d/a.json"],
         "refused": [{"loss": "Loses b.", "subject": "a.b"}]}
        """#, #"{"deployed": true, "refused": []}"#, #"{"deployed": false, "refused": [], "failure": "It fails."}"#,
        #"{"deployed": false}"#)
      let partly = try await data(host, "migrate", "--allow", "a.c", "--allow", "d")
      #expect(partly.status == 1 && partly.stdout == "ALTER TABLE a\n", "\(partly)")
      #expect(
        partly.stderr == """
          The data that was removed from the database is saved in /d/a.json.
          warning: Not executed, because it would lose data: Loses b.
            help: host data migrate --allow a.b

          """, "\(partly)")
      let done = try await data(host, "migrate")
      #expect(done.status == 0 && done.stderr == "The database is as the schema says.\n", "\(done)")
      let failed = try await data(host, "migrate")
      #expect(failed.status == 1 && failed.stderr == "warning: It fails.\n", "\(failed)")
      #expect(try await data(host, "migrate", "--json").status == 1)
      let asked = emulator.asked()
      #expect(asked.map(\.path) == Array(repeating: "/emulator/migrate", count: 4))
      #expect(asked.first?.body == ["allow": ["a.c", "d"]] && asked.last?.body == ["allow": []], "\(asked)")
    }
  }

  @Test func `prints what a database lacks, or that it lacks nothing`() async throws {
    try await withEmulator { host, emulator in
      let service = "\(Build.package)/Plugins/Movies/dataconnect"
      emulator.say(
        #"{"steps": [{"sql": "x", "loss": "Loses a."}, {"sql": "y"}], "sql": "x;\ny;\n", "obstacles": []}"#,
        #"{"steps": [], "obstacles": [], "sql": ""}"#, #"{"steps": [], "obstacles": ["o"], "sql": "-- o\n"}"#,
        #"{"steps": []}"#)
      let some = try await data(host, "diff", "--dir", service)
      #expect(some.status == 1 && some.stdout == "x;\ny;\n" && some.stderr.hasSuffix("warning: Loses a.\n"), "\(some)")
      let none = try await data(host, "diff", "--dir", service)
      #expect(none.status == 0 && none.stdout == "", "\(none)")
      #expect(none.stderr.hasSuffix("The database is as the schema says.\n"), "\(none)")
      let obstacle = try await data(host, "diff", "--dir", service)
      #expect(obstacle.status == 1 && obstacle.stdout == "-- o\n", "\(obstacle)")
      let json = try await data(host, "diff", "--dir", service, "--json")
      #expect(try json.status == 0 && json.json == ["steps": []], "\(json)")
      #expect(emulator.asked().map(\.path) == Array(repeating: "/emulator/diff", count: 4))
    }
  }

  // MARK: Refusals

  @Test func `says why the emulator did nothing`() async throws {
    try await withEmulator { host, emulator in
      for (answer, status, message, help) in [
        (#"401 {"message": "who?"}"#, 77, "error: The emulator refused: who?", "help: Give --home"),
        (#"403 {"error": {"message": "not you"}}"#, 77, "refused: not you", "help: @auth of the operation says who"),
        (#"400 {"message": "bad"}"#, 65, "refused: bad", "help: Check the operation"),
        (#"500 {}"#, 65, "refused: status 500", "help: Check the operation"),
        ("200 <html>", 69, "is not an emulator.", "help: Name its address with --emulator."),
      ] as [(String, Int32, String, String)] {
        emulator.say(answer)
        let output = try await data(host, "shell", "-c", "SELECT 1")
        #expect(output.status == status && output.stderr.contains(message), "\(output)")
        #expect(output.stderr.contains(help), "\(output)")
      }
      let unknown = try await data(host, "shell", "-c", "SELECT 1", "--service", "film")
      #expect(unknown.status == 69 && unknown.stderr.contains("has no service “film”."), "\(unknown)")
      _ = emulator.asked()
      _ = try await data(host, "shell", "-c", "SELECT 1", "--service", "other")
      #expect(emulator.asked().map(\.path) == ["/v1/projects/demo/locations/local/services/other:executeGraphqlRead"])
    }
    try await withEmulator((200, #"{"services": []}"#)) { host, _ in
      let output = try await data(host, "shell", "-c", "SELECT 1")
      #expect(output.status == 69 && output.stderr.contains("serves nothing yet."), "\(output)")
    }
    let silent = try await data(HostTool(), "shell", "-c", "SELECT 1", "--emulator", "127.0.0.1:1")
    #expect(silent.status == 69 && silent.stderr.contains("error: The emulator does not answer: "), "\(silent)")
  }
}
