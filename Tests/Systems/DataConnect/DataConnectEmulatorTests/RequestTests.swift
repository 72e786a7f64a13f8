import DataConnectMigration
import HTTPClient
import HTTPServer
import JSON
import TestSupport
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `A request to the emulator` {
  private static let operations = """
    query Public @auth(level: PUBLIC) { movies { title } }
    query Guest @auth(level: USER_ANON) { movies { title } }
    query User @auth(level: USER) { movies { title } }
    query Verified @auth(level: USER_EMAIL_VERIFIED) { movies { title } }
    query Nobody @auth(level: NO_ACCESS) { movies { title } }
    query Silent { movies { title } }
    query Admin @auth(expr: "auth.token.role == 'admin'") { movies { title } }
    query Self($uid: String!) @auth(expr: "auth.uid == vars.uid") { movies { title } }
    mutation Add($title: String! = "untitled", $year: Int) @auth(level: PUBLIC) {
      movie_insert(data: {title: $title, year: $year})
    }
    query Old @auth(level: PUBLIC) @retired(reason: "Use Public.") { movies { title } }
    """

  @Test func `is let in by the level or the expression of the operation`() async throws {
    let guest = TestEmulator.token("g", ["firebase": ["sign_in_provider": "anonymous"]])
    let user = TestEmulator.token("u")
    let verified = TestEmulator.token("v", ["email_verified": true])
    let admin = TestEmulator.token("a", ["role": "admin"])
    let expected: [(String, String?, Int)] = [
      ("Public", nil, 200), ("Guest", nil, 401), ("Guest", guest, 200), ("User", nil, 401), ("User", guest, 401),
      ("User", user, 200), ("Verified", user, 401), ("Verified", verified, 200), ("Nobody", admin, 403),
      ("Silent", admin, 403), ("Admin", nil, 401), ("Admin", user, 403), ("Admin", admin, 200), ("Old", nil, 200),
    ]
    try await TestEmulator.run(Self.operations) { emulator in
      for (name, token, status) in expected {
        let response = try await emulator.call("executeQuery", name, as: token)
        #expect(response.status == status, "\(name): \(response.text)")
      }
      #expect(try await emulator.call("executeQuery", "Self", ["uid": "u"], as: user).status == 200)
      #expect(try await emulator.call("executeQuery", "Self", ["uid": "v"], as: user).status == 403)
    }
  }

  @Test func `is refused with a code and a status`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let expected: [(String, String, JSONValue, Int)] = [
        ("executeQuery", "Nothing", [:], 404), ("executeQuery", "Add", [:], 404),
        ("executeMutation", "Public", [:], 404),
        ("executeMutation", "Add", ["other": 1], 400), ("executeMutation", "Add", ["year": "x"], 400),
        ("executeMutation", "Add", ["title": .null], 400), ("executeMutation", "Add", ["year": 3_000_000_000], 400),
        ("executeMutation", "Add", [1], 400),
      ]
      for (action, name, variables, status) in expected {
        let response = try await emulator.call(action, name, variables)
        #expect(response.status == status, "\(name) \(variables): \(response.text)")
        let body = try JSONValue(parsing: response.text)
        #expect(body["code"] == JSONValue(status) && body["message"]?.stringValue?.isEmpty == false)
      }
      #expect(try await emulator.call("executeQuery", "Public", as: "a.b.c").status == 401)
      let elsewhere = "/v1/projects/p/locations/l/services/other/connectors/movies:executeQuery"
      #expect(try await emulator.send(elsewhere, ["operationName": "Public"]).status == 404)
      #expect(try await emulator.send("/v1/nothing", [:]).status == 404)
      let plain = try await emulator.send("\(TestEmulator.service)/connectors/movies:executeQuery", method: "GET")
      #expect(plain.status == 405)
      var request = HTTPRequest(
        "POST", "\(emulator.address.url)/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery")
      request.headers["Content-Type"] = "application/grpc"
      #expect(try await HTTPClient.patient.send(request).status == 415)
    }
  }

  @Test func `of a page elsewhere is refused, and one of this machine is told what it may`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let path = "\(TestEmulator.service)/connectors/movies:executeQuery"
      let foreign = try await emulator.send(
        path, ["operationName": "Public"], headers: ["Origin": "https://example.com"])
      #expect(foreign.status == 403)
      let asked = try await emulator.send(
        path, method: "OPTIONS",
        headers: [
          "Origin": "http://localhost:5173", "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type,x-firebase-auth-token",
        ])
      #expect(asked.status == 204)
      #expect(asked.headers["Access-Control-Allow-Origin"] == "http://localhost:5173")
      #expect(asked.headers["Access-Control-Allow-Headers"] == "content-type,x-firebase-auth-token")
      let own = try await emulator.send(
        path, ["operationName": "Public"], headers: ["Origin": "http://localhost:5173"])
      #expect(own.status == 200 && own.headers["Access-Control-Allow-Origin"] == "http://localhost:5173")
    }
  }

  @Test func `of an administrator runs what it says, as whom it says`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let made = try await emulator.administer(
        "mutation($t: String!) { movie_insert(data: {title: $t, year: 1999}) }", ["variables": ["t": "A"]])
      #expect(made.data()["movie_insert"]?["id"] != nil)
      #expect(
        try await emulator.administer("{ movies { title year } }").data() == ["movies": [["title": "A", "year": 1999]]])
      let note = "mutation { note_insert(data: {text: \"t\"}) }"
      _ = try await emulator.administer(note, ["extensions": ["impersonate": ["authClaims": ["sub": "ann"]]]]).data()
      #expect(try await emulator.administer("{ notes { author } }").data() == ["notes": [["author": "ann"]]])
      let wrong = try await emulator.administer("{ movies { titel } }")
      #expect(wrong["errors"]?[0]?["locations"] == [["line": 1, "column": 12]])
      let types = try await emulator.administer("{ __type(name: \"Movie\") { name kind } }")
      #expect(types.data() == ["__type": ["name": "Movie", "kind": "OBJECT"]])
      let read = try await emulator.send(
        "\(TestEmulator.service):executeGraphqlRead", ["query": "mutation { movie_deleteMany(all: true) }"],
        headers: TestEmulator.administrator)
      #expect(read.status == 403)
      let impersonated = try await emulator.send(
        "\(TestEmulator.service)/connectors/movies:impersonateQuery",
        ["operationName": "Admin", "extensions": ["impersonate": ["authClaims": ["sub": "x", "role": "admin"]]]],
        headers: TestEmulator.administrator)
      #expect(impersonated.status == 200)
      let nobody = try await emulator.send(
        "\(TestEmulator.service)/connectors/movies:impersonateQuery",
        ["operationName": "User", "extensions": ["impersonate": ["unauthenticated": true]]],
        headers: TestEmulator.administrator)
      #expect(nobody.status == 401)
    }
  }

  @Test func `tells which service there is`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let info = try JSONValue(
        parsing: try await emulator.send("/emulator/info", method: "GET", headers: TestEmulator.administrator).text)
      #expect(info["services"]?[0]?["serviceId"] == "films" && info["services"]?[0]?["location"] == "us-east4")
    }
  }

  @Test func `hears what is wrong with the project as it changes`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let request = HTTPRequest(
        "GET", "\(emulator.address.url)/emulator/stream_issues?serviceId=films", headers: TestEmulator.administrator)
      var text = ""
      var isBroken = false
      let client = HTTPClient.patient
      let stream = try await client.stream(request)
      while let bytes = try await stream.next() {
        text += String(decoding: bytes, as: UTF8.self)
        if !isBroken, text.contains("Silent") {
          isBroken = true
          try emulator.folder.write("query {", to: "movies/operations.gql")
        }
        if text.contains("\"UNKNOWN\"") { break }
      }
      #expect(text.hasPrefix("data: {\"result\":{\"issues\":["))
      #expect(text.contains("movies/operations.gql"))
    }
  }

  @Test func `is answered as the public service does it`() async throws {
    try await TestEmulator.run(
      """
      query Mine @auth(level: PUBLIC) { movies(where: {title: {eq_expr: "auth.uid"}}) { title } }
      query Listed @auth(level: PUBLIC) { movies { title } }
      """
    ) { emulator in
      for title in ["C", "A", "B"] {
        _ = try await emulator.administer("mutation { movie_insert(data: {title: \"\(title)\"}) }").data()
      }
      // In the order of insertion.
      let rows: JSONValue = [["title": "C"], ["title": "A"], ["title": "B"]]
      #expect(try await emulator.query("Listed").data()["movies"] == rows)
      // Of a large table too, while others read it.
      let setting = "{ _selectFirst(sql: \"SELECT current_setting('synchronize_seqscans') AS s\") }"
      #expect(try await emulator.administer(setting).data()["_selectFirst"] == ["s": "off"])
      // Nobody is there to have movies.
      let mine = try await emulator.query("Mine")
      #expect(mine.errorMessages.first?.contains("unauthorized") == true, "\(mine)")
      #expect(try await emulator.query("Mine", as: "A").data() == ["movies": [["title": "A"]]])
      // A missing variable is an answer of GraphQL.
      let missing = try await emulator.administer("query($t: String!) { movies(where: {title: {eq: $t}}) { title } }")
      #expect(missing["data"] == .null && missing.errorCodes == ["INVALID_ARGUMENT"], "\(missing)")
      // Another location or service is not there.
      for path in ["europe-west1/services/films", "us-east4/services/movies"] {
        let response = try await emulator.send(
          "/v1/projects/demo/locations/\(path)/connectors/movies:executeQuery", ["operationName": "Listed"])
        #expect(response.status == 404, "\(response.text)")
      }
    }
  }

  @Test func `keeps the rows of a table that is given another name`() async throws {
    try await TestEmulator.run("query Listed @auth(level: PUBLIC) { movies { title } }") { emulator in
      _ = try await emulator.administer("mutation { movie_insert(data: {title: \"A\"}) }").data()
      try emulator.folder.write(
        Movies.schema.replacing(#/type Movie @table/#, with: "type Movie @table(name: \"films\")"),
        to: "schema/schema.gql")
      let report = try await emulator.reports.first { $0.applied.contains { $0.sql.contains("RENAME TO") } }
      #expect(report.isDeployed && report.refused.isEmpty && report.dumps.isEmpty)
      #expect(try await emulator.query("Listed").data() == ["movies": [["title": "A"]]])
    }
  }
}
