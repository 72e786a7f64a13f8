import DataConnectClient
import DataConnectEmulator
import HTTPServer
import JSON
import TestSupport
import Testing
import Time
import WebSocket

@Suite(.timeLimit(.minutes(1)))
struct `A subscription over a WebSocket` {
  let movie = DataOperation("getMovie", kind: .query, variables: ["id": "1"])

  @Test func `A subscription opens a WebSocket of the service, and operations follow it there`() async throws {
    let server = StreamServer()
    try await server.run { client, endpoint in
      try await #expect(client.execute(movie, at: endpoint).data == ["alone": true])
      let answers = client.subscribe(movie, at: endpoint, as: "ann")
      try await #expect(answers.next() == DataResponse(data: ["id": "1"], source: .server))
      let other = DataOperation("other", kind: .mutation, variables: ["n": 3])
      try await #expect(client.execute(other, at: endpoint, as: "ann").data == ["n": 3])
      // Another user has another connection, which is not made for an execution.
      try await #expect(client.execute(other, at: endpoint, as: "bob").data == ["alone": true])
    }
    let request = try #require(server.requests.first { $0.asksForWebSocket })
    #expect(
      request.path
        == "/ws/google.firebase.dataconnect.v1.ConnectorStreamService.Connect/demo/locations/us-east4/services/s")
    #expect(request.query == "key=k")
    #expect(request.header("X-Firebase-Auth-Token") == nil)
    let frame = await server.frame()
    #expect(frame["headers"]?["X-Firebase-Auth-Token"] == "token-of-ann")
    #expect(frame["name"] == "projects/demo/locations/us-east4/services/s/connectors/movies")
  }

  @Test func `A hundred subscribers share one connection, and each that goes is told of`() async throws {
    let server = StreamServer()
    try await server.run { client, endpoint in
      var ids: [JSONValue?] = []
      do {
        let streams = (0..<100).map { number in
          client.subscribe(DataOperation("q", kind: .query, variables: ["n": JSONValue(number)]), at: endpoint)
        }
        for (number, stream) in streams.enumerated() {
          try await #expect(stream.next()?.data == ["n": JSONValue(number)])
          ids.append(await server.frame()["requestId"])
        }
        for (number, id) in ids.enumerated() { try await server.push(id, ["pushed": JSONValue(number)]) }
        for (number, stream) in streams.enumerated() {
          try await #expect(stream.next()?.data == ["pushed": JSONValue(number)])
        }
        #expect(server.connections.count == 1)
      }
      var cancelled: Set<JSONValue?> = []
      for _ in 0..<100 {
        let frame = await server.frame()
        #expect(frame["cancel"] == [:])
        cancelled.insert(frame["requestId"])
      }
      #expect(cancelled == Set(ids))
    }
  }

  @Test func `A connection that the server closes is made again`() async throws {
    let server = StreamServer()
    try await server.run { client, endpoint in
      let answers = client.subscribe(movie, at: endpoint)
      for number in 1...3 {
        try await #expect(answers.next()?.data == ["id": "1"])
        #expect(await server.frame()["subscribe"] != nil)
        #expect(server.connections.count == number)
        server.connections.last?.beginClose()
      }
    }
  }

  @Test func `An answer of some megabytes comes over the stream`() async throws {
    let server = StreamServer()
    try await server.run { client, endpoint in
      let answers = client.subscribe(movie, at: endpoint)
      _ = try await answers.next()
      let text = JSONValue.string(String(repeating: "x", count: 4 << 20))
      try await server.push(await server.frame()["requestId"], ["text": text])
      try await #expect(answers.next()?.data == ["text": text])
    }
  }

  @Test(arguments: [(404, DataConnectFailure.Code.notFound), (400, .failed), (403, .permissionDenied), (200, .failed)])
  func `A server without streams says so at once`(_ status: Int, _ code: DataConnectFailure.Code) async throws {
    let stub = StubServer([ServerResponse(status: status, text: "no")])
    try await stub.run { client, endpoint in
      let failure = try await failure {
        try await client.running { try await client.subscribe(movie, at: endpoint).next()! }
      }
      #expect(failure.code == code)
      #expect(failure.message.contains("status \(status)"))
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `A server that is gone is unavailable`() async throws {
    let port = try await StubServer([:]).run { _, endpoint in endpoint.port }
    var configuration = DataConnectClient.Configuration(http: .patient)
    configuration.clock.sleep = { if $0 > .seconds(10) { try await never() } }
    let client = DataConnectClient(configuration)
    let failure = try await failure {
      try await client.running { try await client.subscribe(movie, at: .test(port: port)).next()! }
    }
    #expect(failure.code == .unavailable)
    #expect(failure.message == "No server answers at 127.0.0.1:\(port).")
  }
}
