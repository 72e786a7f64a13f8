import MeasuredHost
import BenchmarkResults
import DataConnectCompiler
import DataConnectStatements
import EventLoop
import JSON
import PostgreSQL

/// The project of the emulator that is measured: a thousand trips to fifty cities of five countries.
enum MeasuredProject {
  static let service = "/v1/projects/demo/locations/us-east4/services/trips"
  static let connector = "projects/demo/locations/us-east4/services/trips/connectors/default"
  static let database = "trips"
  static let trips = 1000

  /// One of the operations, with variables.
  struct Call: Sendable {
    let name: String
    var isMutation = false
    let variables: JSONObject

    /// The body of a request, and what a frame of a stream holds.
    var body: JSONValue { ["operationName": .string(name), "variables": .object(variables)] }

    /// A row by its key.
    static func lookup(_ number: Int = 7) -> Call { Call(name: "GetTrip", variables: ["id": .string(trip(number))]) }
    /// A hundred rows of three tables.
    static let join = Call(name: "ListTrips", variables: ["country": "Country 3", "least": 300])
    static let insert = Call(
      name: "AddVisit", isMutation: true,
      variables: ["guest": "Ann", "note": .string(String(repeating: "x", count: 100)), "stars": 5])
    static func rename(_ number: Int, to title: String) -> Call {
      Call(name: "RenameTrip", isMutation: true, variables: ["id": .string(trip(number)), "title": .string(title)])
    }
  }

  /// The key of a trip.
  static func trip(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
  }

  /// Writes the files of the project, unless they are there.
  ///
  /// - Returns: the folder of the project.
  static func write(in parent: String) throws -> String {
    let folder = "\(parent)/trips"
    for path in [folder, "\(folder)/schema", "\(folder)/connector"] { try BenchFiles.makeFolder(path) }
    try BenchFiles.write(configuration, to: "\(folder)/dataconnect.yaml")
    try BenchFiles.write("connectorId: default\n", to: "\(folder)/connector/connector.yaml")
    try BenchFiles.write(schema, to: "\(folder)/schema/schema.gql")
    try BenchFiles.write(operations, to: "\(folder)/connector/operations.gql")
    return folder
  }

  /// Writes the rows, unless they are there.
  static func fill(_ target: PostgreSQLTarget) async throws -> PostgreSQLServer {
    let loop = EventLoop.onThread(name: "bench-database", spin: .zero)
    defer { loop.stop() }
    let connection = try await PostgreSQLConnection.connect(to: target, on: loop, within: .seconds(30))
    let isFull = try await connection.query("SELECT EXISTS (SELECT FROM trip)", within: .seconds(30))
    if isFull.first?.boolean(at: 0) != true { try await connection.run(script: rows, within: .seconds(60)) }
    guard let server = await connection.server else { throw BenchmarkError("The database's server has gone.") }
    await connection.close()
    return server
  }

  /// The statement that the emulator executes for a call, and the name of its field in the answer.
  static func statement(of call: Call, _ folder: String) throws -> (statement: RootStatement, field: String) {
    let result = CompiledProject.compile(folder)
    guard let project = result.project, let operation = project.connectors.first?.connector.operation(call.name),
      let field = operation.fields.first
    else { throw BenchmarkError(result.problems.first?.description ?? "There is no operation \(call.name).") }
    let context = StatementContext(schema: project.schema, variables: call.variables) {
      text throws(StatementError) in throw StatementError("Nobody evaluates \(text) here.")
    }
    let statement =
      call.isMutation ? try StatementBuilder.mutation(field, context) : try StatementBuilder.query(field, context)
    return (statement, field.responseName)
  }

  // MARK: Files

  private static let configuration = """
    specVersion: "v1"
    serviceId: trips
    location: us-east4
    schema:
      source: ./schema
      datasource: {postgresql: {database: \(database)}}
    connectorDirs: ["./connector"]
    """
  private static let schema = """
    type Country @table { name: String! @unique }
    type City @table {
      name: String!
      country: Country!
    }
    type Trip @table {
      title: String!
      price: Int!
      city: City!
    }
    type Visit @table {
      id: UUID! @default(sql: "gen_random_uuid()")
      guest: String!
      note: String
      stars: Int!
    }
    """
  private static let operations = """
    query GetTrip($id: UUID!) @auth(level: USER) { trip(id: $id) { id title price } }
    query ListTrips($country: String!, $least: Int!) @auth(level: USER) {
      trips(
        where: {price: {ge: $least}, city: {country: {name: {eq: $country}}}}
        orderBy: [{price: DESC}, {title: ASC}], limit: 100
      ) { id title price city { name country { name } } }
    }
    mutation AddVisit($guest: String!, $note: String, $stars: Int!) @auth(level: USER) {
      visit_insert(data: {guest: $guest, note: $note, stars: $stars})
    }
    mutation RenameTrip($id: UUID!, $title: String!) @auth(level: USER) { trip_update(id: $id, data: {title: $title}) }
    """
  private static let rows = """
    INSERT INTO country (name) SELECT 'Country ' || n FROM generate_series(0, 4) n;
    INSERT INTO city (name, country_id) SELECT 'City ' || n, c.id FROM generate_series(0, 49) n
      JOIN country c ON c.name = 'Country ' || n % 5;
    INSERT INTO trip (id, title, price, city_id)
      SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Trip ' || n, n * 7919 % 1000, c.id
      FROM generate_series(0, \(trips - 1)) n JOIN city c ON c.name = 'City ' || n % 50;
    ANALYZE;
    """
}
