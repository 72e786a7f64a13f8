import DataConnect
import DataConnectClient
import DataConnectEmulator
import EventLoop
import Files
import HTTPServer
import MoviesSDK
import PostgreSQL
import TestPrograms
import TestSupport
import Testing
import Text

/// The movies of the samples in an ordinary program.
@Suite(.timeLimit(.minutes(1)))
struct `A program without a host` {
  /// The root of the package.
  private static let root = (0..<5).reduce(File.resolved(#filePath) ?? #filePath) { path, _ in Folder.parent(of: path) }

  private static func database() async throws -> PostgreSQLTarget {
    let server = try TestPostgreSQLServer.shared.get()
    let name = "program_\(UInt64.random(in: 0...(.max)))"
    let loop = EventLoop.onThread(name: "test-database", spin: .zero)
    defer { loop.stop() }
    let connection = try await PostgreSQLConnection.connect(
      to: try PostgreSQLTarget(server.url()), on: loop, within: .seconds(30))
    try await connection.query("CREATE DATABASE \(name)", within: .seconds(30))
    await connection.close()
    return try PostgreSQLTarget(server.url(name))
  }

  private static func token(_ user: String) -> String {
    "e30.\(Base64URL.encode(Array("{\"sub\":\"\(user)\"}".utf8))).signature"
  }

  @Test func `executes and follows operations with the package of the sample`() async throws {
    let folder = try TemporaryDirectory()
    var options = DataConnectEmulator.Options(dumpFolder: folder.file("dumps"))
    options.port = 0
    options.watches = false
    let emulator = try DataConnectEmulator(
      project: "\(Self.root)/Plugins/Movies/dataconnect", target: try await Self.database(), options: options)
    try await emulator.withRunning { address in
      let transport = ServerTransport(project: "demo") { _ in Self.token("ann") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await transport.run() }
        let client = DataConnect(connectorConfig: MoviesConnector.connectorConfig, transport: transport)
        client.useEmulator(host: "127.0.0.1", port: address.port)
        let list = client.query(
          name: ListMoviesQuery.OperationName, variables: ListMoviesQuery.Variables(),
          resultsDataType: ListMoviesQuery.Data.self)
        #expect(try await list.execute().data?.movies.count == 0)
        var results = list.subscribe().makeAsyncIterator()
        #expect(try await results.next()?.get().data?.movies.count == 0)
        let made = client.mutation(
          name: CreateMovieMutation.OperationName,
          variables: CreateMovieMutation.Variables(title: "Heat", genre: "crime", imageUrl: ""),
          resultsDataType: CreateMovieMutation.Data.self)
        _ = try await made.execute()
        let listed = try await list.execute(fetchPolicy: .serverOnly)
        #expect(listed.data?.movies.map(\.title) == ["Heat"])
        group.cancelAll()
      }
    }
  }

  @Test func `is told what is wrong with a token and a server`() async throws {
    let transport = ServerTransport(project: "demo") { _ in "no token" }
    let client = DataConnect(connectorConfig: MoviesConnector.connectorConfig, transport: transport)
    let query = client.query(
      name: ListMoviesQuery.OperationName, variables: ListMoviesQuery.Variables(),
      resultsDataType: ListMoviesQuery.Data.self)
    await #expect(throws: (any Error).self) { try await query.execute() }
    #expect(query.lastError?.message.contains("JSON Web Token") == true, "\(String(describing: query.lastError))")
    // Without encryption a server has to be on this machine.
    let open = DataConnect(
      connectorConfig: MoviesConnector.connectorConfig,
      settings: DataConnectSettings(host: "192.0.2.1", port: 80, sslEnabled: false),
      transport: ServerTransport(project: "demo"))
    let other = open.query(
      name: ListMoviesQuery.OperationName, variables: ListMoviesQuery.Variables(),
      resultsDataType: ListMoviesQuery.Data.self)
    await #expect(throws: DataConnectOperationError.self) { try await other.execute() }
    #expect(other.lastError as? DataConnectOperationError != nil)
  }
}
