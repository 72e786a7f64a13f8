import DataConnectCompiler
import EventLoop
import HTTPClient
import HTTPServer
import JSON
import PostgreSQL
import Synchronization
import TestPrograms
import TestSupport
import Testing
import Text

@testable import DataConnectEmulator

/// A running emulator with a project and a database of its own.
struct TestEmulator: Sendable {
  let folder: ProjectFolder
  let address: ServerAddress
  let emulator: DataConnectEmulator
  let reports: Reports
  /// The URL of the database.
  let database: String
  private let client = HTTPClient.patient

  /// What became of the attempts to deploy.
  final class Reports: Sendable {
    let all = Mutex<[DeploymentReport]>([])
    let arrived = Signal()

    /// The next report that a test is interested in, from the first on.
    func first(_ isWanted: @Sendable (DeploymentReport) -> Bool) async throws -> DeploymentReport {
      while true {
        let count = arrived.count
        if let found = all.withLock({ $0.first(where: isWanted) }) { return found }
        try await arrived.wait(past: count)
      }
    }
  }

  /// Serves operations while the body runs.
  static func run(
    _ operations: String, schema: String = Movies.schema,
    configure: (inout DataConnectEmulator.Options) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (TestEmulator) async throws -> Void
  ) async throws {
    let folder = try ProjectFolder(Movies.files(operations: operations, schema: schema))
    let database = try await newDatabase()
    let reports = Reports()
    var options = DataConnectEmulator.Options(dumpFolder: folder.path + "/.dumps")
    options.port = 0
    options.administratorSecret = secret
    options.deployed = { report in
      reports.all.withLock { $0.append(report) }
      reports.arrived.send()
    }
    configure(&options)
    let emulator = try DataConnectEmulator(
      project: folder.path, target: try PostgreSQLTarget(database), options: options)
    try await emulator.withRunning { address in
      if let first = reports.all.withLock({ $0.first }), !first.isDeployed {
        Issue.record(
          "problems: \(first.problems.map(\.description)) \(first.failure ?? "")", sourceLocation: sourceLocation)
      }
      try await body(
        TestEmulator(folder: folder, address: address, emulator: emulator, reports: reports, database: database))
    }
  }

  static func newDatabase() async throws -> String {
    let server = try TestPostgreSQLServer.shared.get()
    let name = "emulator_\(UInt64.random(in: 0...(.max)))"
    let loop = EventLoop.onThread(name: "test-database", spin: .zero)
    defer { loop.stop() }
    let connection = try await PostgreSQLConnection.connect(
      to: try PostgreSQLTarget(server.url()), on: loop, within: .seconds(30))
    try await connection.query("CREATE DATABASE \(name)", within: .seconds(30))
    await connection.close()
    return server.url(name)
  }

  // MARK: Requests

  /// An unsigned token.
  static func token(_ user: String, _ claims: JSONObject = [:]) -> String {
    var claims = claims
    claims["sub"] = .string(user)
    func part(_ value: JSONObject) -> String {
      Base64URL.encode(Array(JSONValue.object(value).description.utf8))
    }
    return "\(part(["alg": "none"])).\(part(claims))."
  }

  func send(
    _ path: String, _ body: JSONValue? = nil, method: String = "POST", headers: HTTPFields = [:]
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(method, address.url + path)
    request.headers = headers
    request.headers["Content-Type"] = "application/json"
    request.body = body.map { Array($0.description.utf8) }
    return try await client.send(request)
  }

  /// What administrators send.
  static let secret = "the secret of the tests"
  static let administrator: HTTPFields = ["Authorization": "Bearer \(secret)"]

  static let service = "/v1/projects/demo/locations/us-east4/services/films"

  func call(
    _ action: String, _ name: String, _ variables: JSONValue = [:], as user: String? = nil
  ) async throws -> HTTPResponse {
    var headers: HTTPFields = [:]
    if let user { headers["X-Firebase-Auth-Token"] = user.contains(".") ? user : Self.token(user) }
    return try await send(
      "\(Self.service)/connectors/movies:\(action)?key=none",
      ["operationName": .string(name), "variables": variables], headers: headers)
  }

  /// The whole answer to an operation that is executed.
  func run(
    _ action: String, _ name: String, _ variables: JSONValue = [:], as user: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    let response = try await call(action, name, variables, as: user)
    #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
    return try JSONValue(parsing: response.text)
  }

  func query(
    _ name: String, _ variables: JSONValue = [:], as user: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    try await run("executeQuery", name, variables, as: user, sourceLocation: sourceLocation)
  }

  func mutate(
    _ name: String, _ variables: JSONValue = [:], as user: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    try await run("executeMutation", name, variables, as: user, sourceLocation: sourceLocation)
  }

  /// What an administrator has executed.
  func administer(_ text: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var body = more
    body["query"] = .string(text)
    let response = try await send("\(Self.service):executeGraphql", .object(body), headers: Self.administrator)
    return try JSONValue(parsing: response.text)
  }
}

extension JSONValue {
  /// The data of a response without errors.
  func data(sourceLocation: SourceLocation = #_sourceLocation) -> JSONValue {
    #expect(self["errors"] == nil, sourceLocation: sourceLocation)
    return self["data"] ?? .null
  }

  /// The paths of the errors of a response.
  var errorPaths: [JSONValue] { self["errors"]?.arrayValue?.compactMap { $0["path"] } ?? [] }
  var errorMessages: [String] { self["errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? [] }
  var errorCodes: [String] {
    self["errors"]?.arrayValue?.compactMap { $0["extensions"]?["code"]?.stringValue } ?? []
  }
}
