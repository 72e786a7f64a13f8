import EventLoop
import HTTPServer
import JSON
import Synchronization
import Testing

@testable import DataConnectCompiler
@testable import DataConnectEmulator
@testable import DataConnectMigration

/// What the emulator answers and reports while its database is not there.
@Suite(.timeLimit(.minutes(1)))
struct `The emulator without a database` {
  private static let operations = "query All @auth(level: PUBLIC) { movies { title } }"
  private static let broken = "query All @auth(level: PUBLIC) { movies { titel } }"
  private static let service = "/v1/projects/p/locations/us-east4/services/films"

  /// What one request is answered.
  private func answer(
    _ method: String, _ path: String, _ body: String = "{}", as secret: String? = nil, type: String? = nil,
    host: String = "127.0.0.1"
  ) async throws -> (status: Int, body: JSONValue, response: ServerResponse) {
    let folder = try ProjectFolder(Movies.files(operations: Self.operations))
    var options = DataConnectEmulator.Options(dumpFolder: folder.path)
    options.administratorSecret = "secret"
    options.host = host
    let emulator = try DataConnectEmulator(project: folder.path, target: PlainProject.nowhere, options: options)
    var headers = secret.map { [ServerField("Authorization", "Bearer \($0)")] } ?? []
    if let type { headers.append(ServerField("Content-Type", type)) }
    let response = await emulator.respond(
      to: ServerRequest(method: method, path: path, headers: headers, body: Array(body.utf8)))
    return (response.status, (try? JSONCoding.parse(response.body)) ?? .null, response)
  }

  @Test(
    arguments: [
      ("GET", "/", nil, nil, 404), ("GET", "/emulator/other", "secret", nil, 404),
      ("GET", "/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery", nil, nil, 415),
      ("POST", "\(service)/connectors/movies:executeQuery", nil, "Application/gRPC+proto", 415),
      ("GET", "\(service)/connectors/movies:executeQuery", nil, nil, 405),
      ("POST", "/emulator/info", "secret", nil, 405), ("GET", "/emulator/migrate", nil, nil, 405),
      ("POST", "\(service)/connectors/movies:executeQuery", nil, "application/json", 503),
      ("POST", "\(service)/connectors/movies:impersonateQuery", nil, nil, 401),
      ("POST", "\(service)/connectors/movies:impersonateQuery", "secret", nil, 503),
      ("POST", "\(service):executeGraphql", "other", nil, 401),
      ("POST", "\(service):executeGraphql", "secret", nil, 503),
      ("GET", "/emulator/info", nil, nil, 401), ("GET", "/emulator/info", "secret", nil, 200),
      ("GET", "/emulator/diff", "secret", nil, 503), ("GET", "/emulator/stream_issues", "secret", nil, 200),
      ("GET", "/emulator/stream_errors", "secret", nil, 200),
      ("GET", "/ws/google.firebase.dataconnect.v1.S.Connect/p/locations/l/services/films", nil, nil, 503),
    ] as [(String, String, String?, String?, Int)])
  func `answers by the path, the method and the administrator, in this order`(
    method: String, path: String, secret: String?, type: String?, status: Int
  ) async throws {
    #expect(try await answer(method, path, as: secret, type: type).status == status)
  }

  @Test func `says what is wrong in the words of the public service`() async throws {
    let nothing = try await answer("POST", "\(Self.service)/connectors/movies:executeQuery")
    #expect(nothing.body["status"] == "UNAVAILABLE" && nothing.body["code"] == 503)
    let method = try await answer("GET", "\(Self.service):executeGraphql")
    #expect(method.body == ["code": 405, "message": "This path takes POST only.", "status": "UNIMPLEMENTED"])
    let unknown = try await answer("POST", "/none")
    #expect(unknown.body == ["code": 404, "message": "There is nothing at this path.", "status": "NOT_FOUND"])
    #expect(unknown.response.header("Content-Type") == "application/json; charset=utf-8")
    #expect(unknown.response.header("Cache-Control") == "no-store")
    let issues = try await answer("GET", "/emulator/stream_issues", as: "secret")
    #expect(issues.response.header("Content-Type") == "text/event-stream")
  }

  @Test func `tells of no service, and takes no administrator from elsewhere`() async throws {
    let info = try await answer("GET", "/emulator/info", as: "secret")
    #expect(info.body == ["version": "1.0.0", "services": []])
    let elsewhere = try await answer("GET", "/emulator/info", as: "secret", host: "192.0.2.1")
    #expect(elsewhere.status == 403 && elsewhere.body["status"] == "PERMISSION_DENIED")
    let client = try await answer("POST", "\(Self.service)/connectors/movies:executeQuery", host: "192.0.2.1")
    #expect(client.status == 503)
  }

  @Test(
    arguments: [
      ("/emulator/configure", "[]", 400), ("/emulator/configure", "", 400),
      ("/emulator/configure", #"{"serviceId": "films"}"#, 503),
      ("/emulator/configure", #"{"connectionString": "postgresql://other/x"}"#, 403),
      ("/emulator/configure", #"{"connectionString": 1}"#, 403), ("/emulator/configure", "{}", 400),
      ("/emulator/migrate", "{}", 400), ("/emulator/migrate", "[]", 400), ("/emulator/migrate", "", 400),
      ("/emulator/migrate", #"{"allow": "a"}"#, 400), ("/emulator/migrate", #"{"allow": []}"#, 503),
      ("/emulator/migrate", #"{"allow": [1, null]}"#, 503),
      ("/emulator/migrate", "{\"allow\": [\(Array(repeating: "\"a\"", count: 100).joined(separator: ","))]}", 503),
      ("/emulator/migrate", "{\"allow\": [\(Array(repeating: "\"a\"", count: 101).joined(separator: ","))]}", 400),
    ])
  func `reads what an administrator wants before it looks for the database`(
    path: String, body: String, status: Int
  ) async throws {
    let found = try await answer("POST", path, body, as: "secret")
    #expect(found.status == status, "\(found.body)")
    if body == "{}", path == "/emulator/configure" { #expect(found.body["status"] == "FAILED_PRECONDITION") }
  }

  @Test func `deploys nothing, and says whether another attempt may help`() async throws {
    let folder = try ProjectFolder(Movies.files(operations: Self.operations))
    let deployer = Deployer(
      folder: folder.path, target: try PlainProject.nowhere, DataConnectEmulator.Options(dumpFolder: folder.path),
      on: try LoopThread(name: "test-deployer"))
    for most in [nil, 3, nil] as [Int?] {
      let report = await most == nil ? deployer.deploy() : deployer.deploy(maximumConnections: most)
      #expect(!report.isDeployed && !report.isUnchanged && report.isDatabaseMissing)
      #expect(report.failure?.isEmpty == false && report.applied == [] && report.refused == [])
    }
    await #expect { try await deployer.difference() } throws: { ($0 as? RequestFailure)?.code == .unavailable }
    // With a mistake in its files the database is not looked for.
    try folder.write(Self.broken, to: "movies/operations.gql")
    let report = await deployer.deploy()
    #expect(!report.isDeployed && !report.isDatabaseMissing && report.failure == nil)
    let errors = report.problems.count { $0.severity == .error }
    #expect(errors > 0 && deployer.current == nil)
    await #expect(throws: RequestFailure(.failedPrecondition, "The service has \(errors) errors.")) {
      try await deployer.difference()
    }
    // And looked for again without.
    try folder.write(Self.operations, to: "movies/operations.gql")
    #expect(await deployer.deploy().isDatabaseMissing)
    #expect(deployer.isOwn("postgresql:///none?host=/nonexistent-folder-of-the-tests"))
    #expect(!deployer.isOwn("") && !deployer.isOwn("postgresql:///none"))
  }

  @Test func `reads a project with its expressions, or says what is wrong with one`() throws {
    let folder = try ProjectFolder(Movies.files(operations: Self.operations))
    let good = DeployedProject.read(folder.path)
    #expect(good.project?.connectors.map(\.id) == ["movies"])
    #expect(good.project?.connectors.first?.all.map(\.name) == ["All"])
    #expect(good.project?.expressions["auth.uid"] != nil)
    try folder.write("query All @auth(expr: \"auth.uid ==\") { movies { title } }", to: "movies/operations.gql")
    let bad = DeployedProject.read(folder.path)
    #expect(bad.project == nil && bad.problems.map(\.code).contains("Expression"))
    try folder.write(Self.broken, to: "movies/operations.gql")
    #expect(DeployedProject.read(folder.path).project == nil)
  }

  @Test func `has its tables in the schema that its service names, or in the public one`() throws {
    let plain = try PlainProject(Self.operations)
    #expect(try plain.deployment().namespace == "public")
    let other = DatabaseConfiguration(database: "films", schema: "other", instanceID: nil, validation: nil)
    #expect(try plain.deployment(database: other).namespace == "other")
  }

  @Test func `knows which clients a project would break`() throws {
    let folder = try ProjectFolder(Movies.files(operations: Self.operations))
    let project = try #require(DeployedProject.read(folder.path).project)
    func before(_ operations: String, _ ids: [String]) throws -> Deployment {
      let old = try PlainProject(operations)
      return Deployment(
        service: project.project.project.configuration, schema: old.schema,
        connectors: ids.map { DeployedConnector(id: $0, old.connector, old.expressions) },
        expressions: old.expressions, pool: try old.deployment().pool, number: 1)
    }
    #expect(project.breaking(nil) == [])
    #expect(try project.breaking(before(Self.operations, ["movies"])) == [])
    let gone = try project.breaking(before(Self.operations, ["second", "movies", "first"]))
    #expect(gone.map(\.message) == ["The connector \"first\" is gone.", "The connector \"second\" is gone."])
    #expect(gone.allSatisfy { $0.operation == nil && $0.location == nil })
    let more = Self.operations + " query Other @auth(level: PUBLIC) { movies { title } }"
    #expect(try project.breaking(before(more, ["movies"])).map(\.operation) == ["Other"])
  }
}

/// How much the emulator needs, and what it calls things.
@Suite(.timeLimit(.minutes(1)))
struct `The numbers of the emulator` {
  @Test(
    arguments: [
      (2_048, 4_096, 8_552, false, 2_048, 4_096), (2_048, 4_096, 8_551, true, 1_689, 4_096),
      (2_048, 4_096, 160, true, 11, 33), (2_048, 4_096, 149, true, 9, 26), (2_048, 4_096, 130, true, 8, 9),
      (2_048, 4_096, 129, true, 8, 8), (2_048, 4_096, 0, true, 8, 8), (3, 4_096, 200, true, 3, 90),
      (2_048, 10, 1_000, true, 179, 10), (3, 4, 114, false, 3, 4), (3, 4, 113, true, 3, 4),
    ])
  func `are lowered to what the limit of descriptors allows`(
    connections: Int, streams: Int, limit: Int, isLowered: Bool, expected: Int, expectedStreams: Int
  ) {
    var options = DataConnectEmulator.Options(dumpFolder: "/nowhere")
    #expect(options.mostConnections == 2_048 && options.mostStreams == 4_096 && options.maximumConnections == 8)
    (options.mostConnections, options.mostStreams) = (connections, streams)
    #expect(options.descriptors == 2 * connections + connections / 8 + streams + 8 + 96)
    #expect(options.fit(descriptors: limit) == isLowered)
    #expect(options.mostConnections == expected && options.mostStreams == expectedStreams)
  }

  @Test func `has secrets of its own that nobody knows`() {
    let (one, other) = (
      DataConnectEmulator.Options(dumpFolder: "/a"), DataConnectEmulator.Options(dumpFolder: "/b")
    )
    #expect(one.administratorSecret.utf8.count == 64 && one.administratorSecret != other.administratorSecret)
    #expect(one.roleKey.count == 32 && one.roleKey != other.roleKey)
    #expect(!one.allowsOwner && !one.admitsFetches && !one.allowsLoss && one.watches)
    #expect(one.port == 9_399 && one.host == "127.0.0.1" && one.maximumBodyBytes == 16 << 20)
    #expect(one.remoteMessageLimit == .seconds(60) && one.dumpFolder == "/a")
    #expect(one.limits.time == .seconds(30) && one.limits.connecting == .seconds(10))
    #expect(one.limits.bytes == 32 << 20 && one.limits.cost == 100_000 && one.limits.variables == 100_000)
    #expect(one.tokens.leeway == 60 && one.tokens.issuer == nil)
  }

  @Test func `are in the name of a role, which its key alone decides`() {
    #expect(OperationRole(key: [1]).name == "annex_b04a7e6e936a837b")
  }

  @Test func `of a plan are told with what each step loses`() {
    let plain = MigrationPlan.Step(sql: "CREATE TABLE a ()")
    let losing = MigrationPlan.Step("DROP TABLE b", loss: "All rows.", subject: "b")
    #expect(plain.document == ["sql": "CREATE TABLE a ()"])
    #expect(losing.document == ["sql": "DROP TABLE b", "loss": "All rows.", "subject": "b"])
    let plan = MigrationPlan(steps: [plain, losing], obstacles: ["o"], notices: ["n", "m"])
    #expect(
      plan.document == [
        "steps": [plain.document, losing.document], "obstacles": ["o"], "notices": ["n", "m"], "sql": .string(plan.sql),
      ])
    #expect(
      MigrationPlan(steps: []).document == ["steps": [], "obstacles": [], "notices": [], "sql": ""])
  }
}

/// When a subscribed query is executed without a change of its rows.
@Suite(.timeLimit(.minutes(1)))
struct `A query that names mutations` {
  @Test func `is asked for the conditions of the one that was executed, and of no other`() async throws {
    let runs = Mutex(0)
    try await LiveQueries.running(
      1,
      { _, watch throws(RequestFailure) in
        watch(
          [],
          [
            .mutation(name: "M", condition: "c"), .mutation(name: "N", condition: nil), .every(milliseconds: 3_600_000),
            .mutation(name: "M", condition: "d"),
          ])
        let number = runs.withLock {
          $0 += 1
          return $0
        }
        return ExecutedOperation(results: [], failure: OperationError(.aborted, "\(number)"))
      }
    ) { queries in
      let (listener, other) = (LiveQueryListener(), LiveQueryListener())
      let key = QueryKey(service: "s", connector: "c", operation: "q", variables: [:], caller: nil)
      _ = queries.join(key, .nobody, listener, request: "1", etag: nil)
      try await listener.count(1)
      func asked(_ mutation: String, _ holding: String? = nil) -> [String] {
        let asked = Mutex<[String]>([])
        queries.executed(mutation, of: "s", "c") { _, condition in
          asked.withLock { $0.append(condition) }
          return condition == holding
        }
        return asked.withLock { $0 }
      }
      #expect(asked("M") == ["c", "d"])
      #expect(asked("M", "d") == ["c", "d"])
      try await listener.count(2)
      #expect(asked("M", "c") == ["c"])
      try await listener.count(3)
      #expect(asked("N") == [])
      try await listener.count(4)
      #expect(asked("O") == [])
      queries.written([])
      queries.written(["a row that it does not show"])
      queries.deployed()
      try await listener.count(5)
      // Nothing else has had it executed.
      _ = queries.join(key, .nobody, other, request: "2", etag: nil)
      try await other.count(1)
      #expect(other.messages == ["2 6"])
      try await listener.count(6)
      #expect(listener.messages == (1...6).map { "1 \($0)" })
    }
  }
}
