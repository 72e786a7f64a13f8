import DataConnect
import FoundationEssentials
import JSON
import Observation
import Synchronization
import Testing

/// As generated code has them.
private struct Variables: OperationVariable {
  var id: UUID
  var number: Int64
  @OptionalVariable var text: String?

  init(id: UUID, number: Int64, _ optionalVars: ((inout Variables) -> Void)? = nil) {
    self.id = id
    self.number = number
    optionalVars?(&self)
  }

  private enum CodingKeys: String, CodingKey { case id, number, text }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(number, forKey: .number)
    if $text.isSet { try container.encode(text, forKey: .text) }
  }
}

private struct Movies: Decodable, Sendable, Equatable {
  struct Movie: Decodable, Sendable, Equatable {
    var id: UUID
    var views: Int64?
    var at: Timestamp?
  }
  var movies: [Movie]
}

private struct Inserted: Decodable, Sendable, MutationData { var movie_insert: [String: UUID] }

/// Answers executions when a test says so, in the order in which they began.
private final class HeldTransport: DataConnectTransport {
  private let waiting = Mutex<[CheckedContinuation<OperationResponse, any Error>]>([])

  var count: Int { waiting.withLock { $0.count } }

  func execute(_ request: OperationRequest) async throws -> OperationResponse {
    try await withCheckedThrowingContinuation { continuation in waiting.withLock { $0.append(continuation) } }
  }

  func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error> {
    AsyncThrowingStream { continuation in continuation.finish() }
  }

  func answer(_ result: Result<OperationResponse, any Error>) {
    waiting.withLock { $0.removeFirst() }.resume(with: result)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A client` {
  private let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
  private let digits = "0102030405060708090a0b0c0d0e0fff"

  @Test func `sends variables as the service reads them`() async throws {
    let transport = try FakeTransport(#"{"movie_insert":{"id":"\#(digits)"}}"#, #"{"movie_insert":{}}"#)
    let client = transport.client
    func ref(_ variables: Variables) -> MutationRef<Inserted, Variables> {
      client.mutation(name: "create", variables: variables, resultsDataType: Inserted.self)
    }
    let result = try await ref(Variables(id: id, number: .max)).execute()
    #expect(result.data.movie_insert["id"] == id && result.source == .server)
    _ = try await ref(Variables(id: id, number: 1) { $0.text = nil }).execute()
    let sent = transport.requests.map(\.variables)
    #expect(
      sent == [
        ["id": .string(digits), "number": "9223372036854775807"],
        ["id": .string(digits), "number": "1", "text": .null],
      ])
    #expect(transport.requests.map(\.kind) == [.mutation, .mutation])
  }

  @Test func `reads identifiers and numbers exactly`() async throws {
    let transport = try FakeTransport(
      #"{"movies":[{"id":"\#(digits)","views":"9223372036854775807","at":"2026-01-31T12:00:00.5Z"},{"id":"\#(digits)"}]}"#
    )
    let ref: QueryRefObservation<Movies, Variables> = transport.client.query(
      name: "list", variables: Variables(id: id, number: 1), resultsDataType: Movies.self)
    let data = try #require(try await ref.execute().data)
    #expect(data.movies.map(\.views) == [.max, nil] && data.movies[0].id == id)
    #expect(data.movies[0].at?.nanoseconds == 500_000_000)
    #expect(ref.data == data && ref.lastError == nil && ref.source == .server && !ref.isLoading)
  }

  @Test func `shares references with equal variables`() async throws {
    let client = try FakeTransport().client
    func ref(_ number: Int64, _ name: String = "list") -> QueryRefObservation<Movies, Variables> {
      client.query(name: name, variables: Variables(id: id, number: number), resultsDataType: Movies.self)
    }
    let one = ref(1)
    #expect(one === ref(1) && one !== ref(2) && one !== ref(1, "other"))
    // One of another kind takes nobody's place.
    let variables = Variables(id: id, number: 1)
    let other = client.observableQuery(name: "list", variables: variables, resultsDataType: Movies.self)
    #expect(one === ref(1))
    #expect(other === client.observableQuery(name: "list", variables: variables, resultsDataType: Movies.self))
  }

  @Test func `takes an emulator for references that exist`() async throws {
    let transport = try FakeTransport(#"{"movies":[]}"#, #"{"movies":[]}"#)
    let client = transport.client
    let ref: QueryRefObservation<Movies, Variables> = client.query(
      name: "list", variables: Variables(id: id, number: 1), resultsDataType: Movies.self)
    _ = try await ref.execute()
    client.useEmulator()
    _ = try await ref.execute(fetchPolicy: .cacheOnly)
    #expect(transport.requests.map { $0.emulator?.port } == [nil, 9399])
    #expect(transport.requests.map(\.fetchPolicy) == [.preferCache, .cacheOnly])
  }

  @Test func `gives no data where nothing is kept`() async throws {
    let transport = FakeTransport([.success(OperationResponse(data: nil, source: .cache))])
    let ref: QueryRefObservation<Movies, Variables> = transport.client.query(
      name: "list", variables: Variables(id: id, number: 1), resultsDataType: Movies.self)
    let result = try await ref.execute(fetchPolicy: .cacheOnly)
    #expect(result.data == nil && result.source == .cache)
  }

  @Test func `throws partial errors with what there is`() async throws {
    let failure = OperationFailureResponse.Failure(message: "no", path: [.field("movies"), .listIndex(0)])
    let transport = FakeTransport([
      .success(OperationResponse(data: ["movies": []], errors: [failure])), .success(OperationResponse(data: nil)),
      .success(OperationResponse(data: ["movies": [["id": "x"]]])), .success(OperationResponse(data: ["movies": "x"])),
    ])
    let ref: QueryRefObservableObject<Movies, Variables> = transport.client.observableQuery(
      name: "list", variables: Variables(id: id, number: 1), resultsDataType: Movies.self)
    let changes = Atomic(0)
    let stop = ref.objectWillChange { changes.add(1, ordering: .relaxed) }
    let error = try await #require(throws: DataConnectOperationError.self) { try await ref.execute() }
    let response = try #require(error.response)
    #expect(error.message == "no" && response.errors == [failure] && response.rawJsonData == #"{"movies":[]}"#)
    #expect(response.data(asType: Movies.self) == Movies(movies: []))
    #expect(ref.lastError?.message == "no" && ref.data == nil && changes.load(ordering: .relaxed) == 2)
    stop()
    await #expect(throws: DataConnectOperationError.self) { try await ref.execute() }
    #expect(changes.load(ordering: .relaxed) == 2)
    let wrong = try await #require(throws: DataConnectCodecError.self) { try await ref.execute() }
    #expect(wrong.code == .invalidUUID)
    let shape = try await #require(throws: DataConnectCodecError.self) { try await ref.execute() }
    #expect(shape.code == .decodingFailed && shape.message.contains(".movies"))
    await #expect(throws: DataConnectOperationError.self) { try await ref.execute() }
  }

  @Test func `says that a result is on its way until the last of them is there`() async throws {
    let transport = HeldTransport()
    let client = DataConnect(
      connectorConfig: ConnectorConfig(serviceId: "s", location: "l", connector: "c"), transport: transport)
    func check(_ ref: some QueryRef<Movies>) async throws {
      #expect(!ref.isLoading)
      async let first = ref.execute()
      while transport.count < 1 { await Task.yield() }
      async let second = ref.execute()
      while transport.count < 2 { await Task.yield() }
      #expect(ref.isLoading)
      transport.answer(.success(OperationResponse(data: ["movies": []])))
      _ = try await first
      #expect(ref.isLoading && ref.data == Movies(movies: []))
      transport.answer(.failure(FakeTransport.FakeFailure()))
      _ = try? await second
      #expect(!ref.isLoading && ref.lastError != nil)
    }
    let variables = Variables(id: id, number: 1)
    try await check(client.query(name: "list", variables: variables, resultsDataType: Movies.self))
    try await check(client.observableQuery(name: "list", variables: variables, resultsDataType: Movies.self))
  }

  @Test func `keeps a result beside an error, which goes with the next result`() async throws {
    func client() -> DataConnect {
      FakeTransport([
        .success(OperationResponse(data: ["movies": []])), .failure(.init()),
        .success(OperationResponse(data: ["movies": []], source: .cache)), .failure(.init()),
      ]).client
    }
    func check(_ ref: some QueryRef<Movies>) async throws {
      #expect(ref.data == nil && ref.source == nil && ref.lastError == nil)
      for source in [DataSource.server, .cache] {
        _ = try await ref.execute()
        #expect(ref.data == Movies(movies: []) && ref.source == source && ref.lastError == nil)
        await #expect(throws: DataConnectOperationError.self) { try await ref.execute() }
        #expect(ref.data == Movies(movies: []) && ref.source == source && ref.lastError != nil)
      }
    }
    let variables = Variables(id: id, number: 1)
    try await check(client().query(name: "list", variables: variables, resultsDataType: Movies.self))
    try await check(client().observableQuery(name: "list", variables: variables, resultsDataType: Movies.self))
  }

  @Test func `says the first three of several errors, and so much of each`() async throws {
    let messages = [String(repeating: "e\u{301}", count: 151), "b", "c", "d"]
    let errors = messages.map { OperationFailureResponse.Failure(message: $0) }
    let transport = FakeTransport([.success(OperationResponse(data: nil, errors: errors))])
    let ref: MutationRef<Inserted, Variables> = transport.client.mutation(
      name: "create", variables: Variables(id: id, number: 1), resultsDataType: Inserted.self)
    let error = try await #require(throws: DataConnectOperationError.self) { try await ref.execute() }
    let expected = String(repeating: "e\u{301}", count: 150) + "; b; c"
    #expect(Array(error.message.utf8) == Array(expected.utf8))
    #expect(error.response?.errors == errors && error.response?.value == nil)
  }

  @Test func `follows nothing without a transport, and says so once`() async throws {
    let client = DataConnect(connectorConfig: ConnectorConfig(serviceId: "a", location: "b", connector: "c"))
    let ref: QueryRefObservation<Movies, Variables> = client.query(
      name: "list", variables: Variables(id: id, number: 1), resultsDataType: Movies.self)
    var results = ref.subscribe().makeAsyncIterator()
    guard case .failure(let error)? = await results.next() else {
      Issue.record("There is a result.")
      return
    }
    #expect((error.dataConnectError as? DataConnectInitError)?.code == .appNotConfigured)
    #expect(ref.lastError is DataConnectInitError)
    let next = await results.next()
    #expect(next == nil)
  }

  @Test func `says what to do without a transport`() async throws {
    let client = DataConnect(connectorConfig: ConnectorConfig(serviceId: "a", location: "b", connector: "c"))
    let ref: MutationRef<Inserted, Variables> = client.mutation(
      name: "create", variables: Variables(id: id, number: 1), resultsDataType: Inserted.self)
    let error = try await #require(throws: DataConnectInitError.self) { try await ref.execute() }
    #expect(error.code == .appNotConfigured)
  }

  @Test func `is the same one for the same connector`() {
    let config = ConnectorConfig(serviceId: "a", location: "b", connector: "c")
    let one = DataConnect.dataConnect(connectorConfig: config, callerSDKType: .generated)
    #expect(one === DataConnect.dataConnect(connectorConfig: config))
    #expect(one !== DataConnect.dataConnect(connectorConfig: config, settings: DataConnectSettings(host: "h")))
  }

  @Test func `tells observers and subscribers of each result`() async throws {
    let transport = FakeTransport([
      .success(OperationResponse(data: ["movies": []])),
      .success(OperationResponse(data: nil, errors: [.init(message: "gone")])), .failure(.init()),
    ])
    let ref: QueryRefObservation<Movies, Variables> = transport.client.query(
      name: "list", variables: Variables(id: id, number: 1), resultsDataType: Movies.self)
    let changes = Atomic(0)
    withObservationTracking {
      _ = ref.data
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    var found: [String] = []
    for await result in ref.subscribe() {
      switch result {
      case .success(let result): found.append("\(result.data?.movies.count ?? -1)")
      case .failure(let error): found.append(error.message)
      }
    }
    #expect(found.count == 3 && found.prefix(2) == ["0", "gone"])
    #expect(changes.load(ordering: .relaxed) == 1 && ref.data?.movies == [] && ref.lastError != nil)
  }
}
