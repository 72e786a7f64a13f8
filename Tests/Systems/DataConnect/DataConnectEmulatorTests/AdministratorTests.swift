import Glibc
import HTTPClient
import JSON
import PostgreSQL
import TestPrograms
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(2)))
struct `An administrator of the emulator` {
  static let operations = """
    mutation Run @auth(level: NO_ACCESS) { _execute(sql: "SELECT 1") }
    query Public @auth(level: PUBLIC) { movies { title } }
    """

  private static let requests: [(path: String, method: String, body: JSONValue?)] = [
    ("/emulator/info", "GET", nil), ("/emulator/stream_issues", "GET", nil), ("/emulator/stream_errors", "GET", nil),
    ("/emulator/configure", "POST", ["maxOpenConnections": 3]), ("/emulator/diff", "GET", nil),
    ("/emulator/migrate", "POST", ["allow": []]),
    ("\(TestEmulator.service):executeGraphql", "POST", ["query": "mutation { movie_deleteMany(all: true) }"]),
    ("\(TestEmulator.service):executeGraphqlRead", "POST", ["query": "{ movies { title } }"]),
    ("\(TestEmulator.service)/connectors/movies:impersonateQuery", "POST", ["operationName": "Public"]),
    ("\(TestEmulator.service)/connectors/movies:impersonateMutation", "POST", ["operationName": "Run"]),
  ]

  @Test func `is nobody without the secret, from wherever the request comes`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      for (path, method, body) in Self.requests {
        let wrong: [HTTPFields] = [
          [:], ["Authorization": "Bearer owner"], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
          ["Authorization": TestEmulator.secret], ["Authorization": "Basic \(TestEmulator.secret)"],
          ["Authorization": "Bearer \(TestEmulator.secret)x"], ["Origin": "http://localhost:5173"],
          ["X-Firebase-Auth-Token": TestEmulator.token("owner", ["admin": true])],
        ]
        for headers in wrong {
          let refused = try await emulator.send(path, body, method: method, headers: headers)
          #expect(refused.status == 401, "\(path) \(headers) \(refused.text)")
        }
      }
      #expect(try await emulator.call("executeQuery", "Public").status == 200)
      #expect(try await emulator.administer("{ movies { title } }").data() == ["movies": []])
    }
  }

  @Test func `may be anybody where the command line says so`() async throws {
    try await TestEmulator.run(Self.operations) {
      $0.allowsOwner = true
    } _: { emulator in
      let path = "\(TestEmulator.service):executeGraphql"
      let owner = try await emulator.send(
        path, ["query": "{ movies { title } }"], headers: ["Authorization": "Bearer owner"])
      #expect(owner.status == 200)
      #expect(try await emulator.send(path, ["query": "{ movies { title } }"]).status == 401)
    }
  }

  @Test func `cannot name another database`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.administer("mutation { movie_insert(data: {title: \"A\", year: 1}) }").data()
      for other in [
        try await TestEmulator.newDatabase(), "postgresql://127.0.0.1:1/x", "",
        "\(emulator.database)&passfile=/etc/passwd",
      ] {
        let refused = try await emulator.send(
          "/emulator/configure", ["serviceId": "films", "connectionString": .string(other)],
          headers: TestEmulator.administrator)
        #expect(refused.status == 403, "\(refused.text)")
      }
      let null = try await emulator.send(
        "/emulator/configure", ["connectionString": .null], headers: TestEmulator.administrator)
      #expect(null.status == 403)
      let own = try await emulator.send(
        "/emulator/configure",
        ["serviceId": "films", "connectionString": .string(emulator.database), "maxOpenConnections": 2],
        headers: TestEmulator.administrator)
      #expect(own.status == 200, "\(own.text)")
      #expect(try await emulator.query("Public").data() == ["movies": [["title": "A"]]])
    }
  }

  /// The database of the tests belongs to a superuser.
  @Test func `runs no program and reads no file on the machine of the database`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let server = try TestPostgreSQLServer.shared.get()
      let mark = "\(server.directory)/mark-\(UInt64.random(in: 0...(.max)))"
      let statements = [
        "COPY (SELECT 1) TO PROGRAM 'touch \(mark)'", "COPY (SELECT 1) TO '\(mark)'",
        "SELECT pg_read_file('/etc/passwd')", "SELECT lo_import('/etc/passwd')", "RESET ROLE",
        "RESET SESSION AUTHORIZATION", "SET ROLE annex", "SET SESSION AUTHORIZATION annex", "SET ROLE NONE",
        "DO $$ BEGIN EXECUTE 'RESET ROLE'; EXECUTE 'COPY (SELECT 1) TO PROGRAM ''touch \(mark)'''; END $$",
        "ALTER ROLE CURRENT_USER SUPERUSER", "GRANT pg_execute_server_program TO CURRENT_USER",
        "CREATE EXTENSION dblink", "CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE TRIGGER t BEFORE INSERT ON movie FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "ALTER TABLE movie ADD COLUMN more text",
      ]
      for _ in 0..<2 {
        for statement in statements {
          let text = JSONValue.string(statement)
          _ = try await emulator.administer("mutation { _execute(sql: \(text)) }")
          let program = JSONValue.string("COPY (SELECT 1) TO PROGRAM 'touch \(mark)'")
          let after = try await emulator.administer("mutation { _execute(sql: \(program)) }")
          #expect(after.errorPaths == [["_execute"]], "\(statement): \(after)")
          #expect(access(mark, F_OK) != 0, "\(statement)")
        }
      }
      let rights = try await emulator.administer(
        "{ rows: _select(sql: \"SELECT rolsuper FROM pg_roles WHERE rolname = session_user\") }")
      #expect(rights.data()["rows"] == [["rolsuper": false]])
      let files = try await emulator.administer("{ rows: _select(sql: \"SELECT pg_read_file('/etc/passwd')\") }")
      #expect(files["errors"] != nil)
    }
  }

  @Test func `learns the SQL of an operation without its values, and nobody else does`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let wish: JSONValue = ["annex": ["statements": true]]
      let text = "query($t: String!) { a: movies(where: {title: {eq: $t}}) { title } movies { title } }"
      let told = try await emulator.administer(text, ["variables": ["t": "a secret title"], "extensions": wish])
      #expect(told.data() == ["a": [], "movies": []])
      let statements = told["extensions"]?["annex"]?["statements"]?.arrayValue ?? []
      #expect(statements.map { $0["path"] } == [["a"], ["movies"]])
      let sql = statements.compactMap { $0["sql"]?.stringValue }
      #expect(sql.count == 2 && sql[0].contains("SELECT") && sql[0].contains("$1") && !sql[1].contains("$1"), "\(sql)")
      #expect(!told.description.contains("a secret title"))
      #expect(try await emulator.administer("{ movies { title } }")["extensions"]?["annex"] == nil)
      let write = "mutation { movie_insert(data: {title: \"another secret\", year: 1}) }"
      let written = try await emulator.administer(write, ["extensions": wish])
      #expect(written["extensions"]?["annex"]?["statements"]?[0]?["sql"]?.stringValue?.contains("INSERT") == true)
      #expect(!written.description.contains("another secret"))
      let answer = try await emulator.send(
        "\(TestEmulator.service)/connectors/movies:executeQuery", ["operationName": "Public", "extensions": wish])
      #expect(answer.status == 200 && !answer.text.contains("SELECT"), "\(answer.text)")
    }
  }

  @Test func `keeps one role of operations for each key`() async throws {
    #expect(OperationRole(key: [1]).name == OperationRole(key: [1]).name)
    #expect(OperationRole(key: [1]).name != OperationRole(key: [2]).name)
    let key = Array("the key of this test".utf8)
    for _ in 0..<2 {
      try await TestEmulator.run(Self.operations) {
        $0.roleKey = key
      } _: { emulator in
        let answer = try await emulator.query("Public")
        #expect(answer.data() == ["movies": []])
      }
    }
  }
}
