import JSON
import AppExtensions
import DataConnect
import ExtensionHosting
import HostServices
import DataServices
import JSONRPC
import Testing

@testable import ExtensionTesting

/// What a generated package gets through the host: the transport that `import DataConnect` brings by itself.
@Suite(.timeLimit(.minutes(1)))
struct `A generated package in an extension` {
  private static let identity = Caller.Identity.testing(permissions: [
    AskedPermission("data", scope: ["movies/default"])
  ])

  private struct Movies: Decodable, Sendable, Equatable {
    var movies: [String]
  }
  private struct NoVariables: OperationVariable {}
  private typealias Query = QueryRefObservation<Movies, NoVariables>

  private static func outcome(_ titles: String...) -> DataContract.Outcome {
    DataContract.Outcome(data: ["movies": .array(titles.map { .string($0) })])
  }

  private static func client(_ context: ExtensionContext, cache: CacheSettings? = nil) -> DataConnect {
    DataConnect(
      connectorConfig: ConnectorConfig(serviceId: "movies", location: "us-east4", connector: "default"),
      settings: DataConnectSettings(cacheSettings: cache), transport: HostTransport(context.session))
  }

  private static func query(_ client: DataConnect) -> Query {
    client.query(name: "listMovies", variables: NoVariables(), resultsDataType: Movies.self)
  }

  private static func inWidget<Value: Sendable>(
    _ carrier: StubCarrier, permissions: PermissionAuthority? = nil,
    _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> Value {
    let host = TestHost(services: [DataService(carrier: carrier)], permissions: permissions, consent: .grant)
    return try await host.inWidget(as: identity) { try await body($0) }
  }

  @Test func `executes operations, with its location, its cache and its policy`() async throws {
    let carrier = StubCarrier { _ in Self.outcome("Alien") }
    let data = try await Self.inWidget(carrier) { context in
      let client = Self.client(context, cache: CacheSettings(storage: .memory, maxAge: .seconds(5)))
      return try await Self.query(client).execute(fetchPolicy: .cacheOnly).data
    }
    #expect(data == Movies(movies: ["Alien"]))
    let call = try #require(carrier.calls.first)
    #expect(call.location == "us-east4" && call.fetchPolicy == .cacheOnly)
    #expect(call.cache == DataContract.Cache(storage: .memory, maxAgeMs: 5000))
  }

  @Test func `says how its results are kept within what the host takes`() async throws {
    let year = 31_536_000_000
    let cases: [(CacheSettings?, DataContract.Cache?)] = [
      (nil, nil), (CacheSettings(), DataContract.Cache(storage: .persistent, maxAgeMs: 0)),
      (
        CacheSettings(storage: .memory, maxAge: .milliseconds(1_500), maxSize: 1),
        DataContract.Cache(storage: .memory, maxAgeMs: 1_500, maxBytes: 1)
      ),
      (CacheSettings(maxAge: .microseconds(-1), maxSize: 0), DataContract.Cache(storage: .persistent, maxAgeMs: 0)),
      (
        CacheSettings(maxAge: .milliseconds(year), maxSize: 1 << 40),
        DataContract.Cache(storage: .persistent, maxAgeMs: year, maxBytes: 1 << 40)
      ),
      (
        CacheSettings(maxAge: .milliseconds(year + 1), maxSize: (1 << 40) + 1),
        DataContract.Cache(storage: .persistent, maxAgeMs: year, maxBytes: 1 << 40)
      ),
      (CacheSettings(maxAge: Duration.zero, maxSize: -1), DataContract.Cache(storage: .persistent, maxAgeMs: 0)),
    ]
    let carrier = StubCarrier { _ in Self.outcome() }
    try await Self.inWidget(carrier) { context in
      for (settings, _) in cases { _ = try await Self.query(Self.client(context, cache: settings)).execute() }
    }
    #expect(carrier.calls.map(\.cache) == cases.map { $0.1 })
  }

  @Test func `has what is there beside errors`() async throws {
    let carrier = StubCarrier { _ in
      DataContract.Outcome(
        data: ["movies": ["Alien"]], errors: [.init(message: "One is missing.", path: ["movies", 1])])
    }
    let message = try await Self.inWidget(carrier) { context in
      let query = Self.query(Self.client(context))
      let error = await #expect(throws: DataConnectOperationError.self) { try await query.execute() }
      let partial = error?.response?.data(asType: Movies.self)
      #expect(partial == Movies(movies: ["Alien"]))
      #expect(error?.response?.errors.first?.path == [.field("movies"), .listIndex(1)])
      return query.lastError?.message
    }
    #expect(message == "One is missing.")
  }

  @Test func `says what the host says when there is no response`() async throws {
    let carrier = StubCarrier { _ in
      throw ExtensionError(.dataFailed, "The server is not there.", recovery: "Start it.")
    }
    let message = try await Self.inWidget(carrier) { context in
      await #expect(throws: DataConnectOperationError.self) {
        try await Self.query(Self.client(context)).execute()
      }?.message
    }
    #expect(message == "The server is not there. Start it.")
  }

  @Test func `observes a query, small results and large ones`() async throws {
    let carrier = StubCarrier()
    let large = String(repeating: "é", count: 200_000)
    carrier.publish(Self.outcome("Alien"))
    let seen = try await Self.inWidget(carrier) { context in
      let query = Self.query(Self.client(context))
      var seen: [Int] = []
      for await result in query.subscribe() {
        seen.append(try result.get().data?.movies.joined().count ?? -1)
        if seen.count == 1 { carrier.publish(Self.outcome(large)) }
        if seen.count == 2 { carrier.publish(Self.outcome("a", "b")) }
        if seen.count == 3 { break }
      }
      #expect(query.data == Movies(movies: ["a", "b"]))
      return seen
    }
    #expect(seen == [5, 200_000, 2])
    try await carrier.waitForFollowers(0)
  }

  @Test func `loses its subscription with the permission`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let permissions = PermissionAuthority(state: folder.state, consent: .grant)
    let permission = try #require(Self.identity.permissions.first)
    try await permissions.decide(permission, .granted, for: Self.identity.id)
    let carrier = StubCarrier()
    carrier.publish(Self.outcome("Alien"))
    let error = try await Self.inWidget(carrier, permissions: permissions) { context -> AnyDataConnectError? in
      for await result in Self.query(Self.client(context)).subscribe() {
        switch result {
        case .success: try await permissions.decide(permission, .denied, for: Self.identity.id)
        case .failure(let error): return error
        }
      }
      return nil
    }
    #expect((error?.underlyingError as? ErrorObject)?.code == ExtensionError.Code.permissionDenied.number)
    try await carrier.waitForFollowers(0)
  }

  @Test func `has a bounded number of subscriptions`() async throws {
    let carrier = StubCarrier()
    let error = try await Self.inWidget(carrier) { context in
      let subscribe = DataContract.Subscribe(connector: "movies/default", operation: "listMovies")
      var streams: [IncomingStream] = []
      for _ in 0..<DataService.mostSubscriptions {
        streams.append(try context.stream(try await context.call(subscribe).stream))
      }
      let error = await #expect(throws: ExtensionError.self) { _ = try await context.call(subscribe) }
      for stream in streams { stream.drop() }
      return error
    }
    #expect(error?.code == .limitExceeded)
    try await carrier.waitForFollowers(0)
  }
}
