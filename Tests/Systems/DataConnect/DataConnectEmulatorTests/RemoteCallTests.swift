import DataConnectMessages
import GRPC
import HTTP
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `A call of gRPC to the emulator` {
  private static let operations = """
    query Public @auth(level: PUBLIC) @refresh(onMutationExecuted: {operation: "Add"}) { movies { title year } }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { title } }
    query User @auth(level: USER) { movies { title } }
    query Nobody @auth(level: NO_ACCESS) { movies { title } }
    query Slow @auth(level: PUBLIC) { _select(sql: "SELECT pg_sleep(30)::text AS slept", params: []) }
    mutation Add($title: String!, $year: Int) @auth(level: PUBLIC) {
      movie_insert(data: {title: $title, year: $year})
    }
    """

  private static func with(_ body: (TestEmulator, RemoteClient) async throws -> Void) async throws {
    try await TestEmulator.run(operations) { try await body($0, RemoteClient(emulator: $0)) }
  }

  @Test func `is answered with what REST answers`() async throws {
    try await Self.with { emulator, client in
      let added = try await client.call("ExecuteMutation", "Add", ["title": "Ä", "year": 1_999])
      #expect(added.code == 0 && added.status == 200, "\(added.lines)")
      for (action, name) in [("ExecuteQuery", "Public"), ("ExecuteQuery", "User")] {
        let token = TestEmulator.token("ann")
        let answer = try await client.call(action, name, headers: ["x-firebase-auth-token": token])
        let rest = try await emulator.query(name, as: token)
        #expect(answer.body == GRPCMessageReader.framed(ResponseMessage.unary(rest)), "\(answer.lines)")
        #expect(answer.field("content-type") == "application/grpc" && answer.code == 0)
      }
    }
  }

  @Test func `of an operation that fails in part has errors with paths and codes`() async throws {
    try await Self.with { emulator, client in
      let variables: JSONObject = ["title": .string(String(repeating: "x", count: 61))]
      let answer = try await client.call("ExecuteMutation", "Add", variables)
      let rest = try await emulator.mutate("Add", .object(variables))
      #expect(rest["errors"] != nil && answer.code == 0)
      #expect(answer.body == GRPCMessageReader.framed(ResponseMessage.unary(rest)))
    }
  }

  @Test func `is refused with the code that REST gives`() async throws {
    try await Self.with { _, client in
      let other = "projects/p/locations/us-east4/services/other/connectors/movies"
      let elsewhere = RemoteClient.connector.replacing("us-east4", with: "us-west1")
      let refused: [(String, String, JSONObject, String, GRPCCode)] = [
        ("ExecuteQuery", "Nothing", [:], RemoteClient.connector, .notFound),
        ("ExecuteQuery", "Add", ["title": "x"], RemoteClient.connector, .notFound),
        ("ExecuteMutation", "Public", [:], RemoteClient.connector, .notFound),
        ("ExecuteQuery", "User", [:], RemoteClient.connector, .unauthenticated),
        ("ExecuteQuery", "Nobody", [:], RemoteClient.connector, .permissionDenied),
        ("ExecuteMutation", "Add", ["title": 5], RemoteClient.connector, .invalidArgument),
        ("ExecuteQuery", "Public", [:], other, .notFound), ("ExecuteQuery", "Public", [:], elsewhere, .notFound),
        ("ExecuteQuery", "Public", [:], "nonsense", .invalidArgument),
        ("ExecuteQuery", "Public", [:], RemoteClient.connector + ":impersonateQuery", .notFound),
        ("ExecuteAnything", "Public", [:], RemoteClient.connector, .unimplemented),
      ]
      for (method, name, variables, connector, code) in refused {
        let answer = try await client.call(method, name, variables, connector: connector)
        #expect(answer.code == code.rawValue && answer.status == 200, "\(method) \(name): \(answer.lines)")
        #expect(answer.field("grpc-message")?.isEmpty == false && answer.body.isEmpty)
      }
      let bad = try await client.call("ExecuteQuery", "Public", headers: ["x-firebase-auth-token": "a.b.c"])
      #expect(bad.code == GRPCCode.unauthenticated.rawValue)
      let guest = TestEmulator.token("g", ["firebase": ["sign_in_provider": "anonymous"]])
      let anonymous = try await client.call("ExecuteQuery", "User", headers: ["x-firebase-auth-token": guest])
      #expect(anonymous.code == GRPCCode.unauthenticated.rawValue, "\(anonymous.lines)")
    }
  }

  @Test func `makes nobody an administrator`() async throws {
    try await TestEmulator.run(Self.operations) {
      $0.allowsOwner = true
    } _: { emulator in
      let client = RemoteClient(emulator: emulator)
      for secret in [TestEmulator.secret, "owner"] {
        let answer = try await client.call(
          "ExecuteQuery", "Nobody", headers: ["authorization": "Bearer \(secret)"])
        #expect(answer.code == GRPCCode.permissionDenied.rawValue)
      }
      let path = "\(TestEmulator.service):executeGraphql"
      let admin = try await client.send(path, [], headers: ["authorization": "Bearer owner"])
      #expect(admin.code == GRPCCode.unimplemented.rawValue)
      let rest = try await client.send(path, [], headers: ["content-type": "application/json"])
      #expect(rest.status == 415 && rest.body.isEmpty)
    }
  }

  @Test func `passes the door that every other request passes`() async throws {
    try await Self.with { _, client in
      let refused: [([String: String], Int)] = [
        (["Host": "evil.example"], 421), (["Host": "localhost:80@evil"], 421),
        (["Origin": "https://evil.example"], 403), ([FetchMark.field: "1"], 403),
        (["Sec-Fetch-Site": "cross-site"], 403), (["content-type": "text/plain"], 415),
      ]
      for (headers, status) in refused {
        let answer = try await client.call("ExecuteQuery", "Public", headers: headers)
        #expect(answer.status == status && answer.code != 0 && answer.body.isEmpty, "\(headers): \(answer.lines)")
      }
      #expect(try await client.call("ExecuteQuery", "Public", headers: ["Origin": "http://localhost:5173"]).code == 0)
      #expect(try await client.send("/x", [], method: "PUT").status == 405)
    }
  }

  @Test func `names its server by the authority, by the field, or by both alike`() async throws {
    try await Self.with { emulator, _ in
      let message = OperationMessage(connector: RemoteClient.connector, operation: "Public").bytes
      for (authority, host, isServed) in [
        ("localhost", nil, true), (nil, "localhost", true), ("localhost", "LOCALHOST", true),
        ("localhost", "127.0.0.1", false), ("127.0.0.1", "localhost", false), ("localhost", "evil.example", false),
        ("evil.example", nil, false), (nil, "evil.example", false), (nil, nil, false),
      ] as [(String?, String?, Bool)] {
        let fields: [(String, String?)] = [
          (":method", "POST"), (":scheme", "http"),
          (":path", "/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery"), (":authority", authority),
          ("host", host), ("content-type", "application/grpc"),
        ]
        let header = HTTP2Frame.fields(fields.compactMap { name, value in value.map { (name, $0) } })
        let client = try RawClient(port: emulator.address.port)
        client.send(
          HTTP2Frame.start() + HTTP2Frame.bytes(.headers, flags: HTTP2Frame.endHeaders, stream: 1, header)
            + HTTP2Frame.bytes(.data, flags: HTTP2Frame.endStream, stream: 1, GRPCMessageReader.framed(message)))
        let isEnd: @Sendable ([UInt8]) -> Bool = { bytes in
          HTTP2Frame.all(in: bytes).frames.contains { $0.endsStream || $0.kind == .reset }
        }
        let frames = HTTP2Frame.all(in: await client.receivedBytes(until: isEnd)).frames
        // A text of one character is not compressed.
        let isGood = frames.last(where: \.endsStream)?.payload.firstRange(of: [1, UInt8(ascii: "0")]) != nil
        #expect(isGood == isServed, "\(authority ?? "none") \(host ?? "none"): \(frames)")
      }
    }
  }

  @Test func `is refused when its message is cut, too large, compressed or one of several`() async throws {
    try await TestEmulator.run(Self.operations) {
      $0.maximumBodyBytes = 100_000
    } _: { emulator in
      let client = RemoteClient(emulator: emulator)
      let path = "/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery"
      let message = GRPCMessageReader.framed(
        OperationMessage(connector: RemoteClient.connector, operation: "Public").bytes)
      let refused: [([UInt8], GRPCCode)] = [
        ([], .internal), ([0, 0], .internal), (Array(message.dropLast()), .internal), (message + message, .internal),
        ([1] + message.dropFirst(), .unimplemented), ([0, 255, 255, 255, 255], .resourceExhausted),
        ([0, 0, 1, 0x86, 0xA1], .resourceExhausted),
        (GRPCMessageReader.framed([255, 255]), .invalidArgument),
      ]
      for (body, code) in refused {
        let answer = try await client.send(path, body)
        #expect(answer.code == code.rawValue, "\(body.prefix(5)) \(answer.lines)")
      }
      // More than a window, up to the limit.
      let variables: JSONObject = ["title": .string(String(repeating: "x", count: 99_000))]
      #expect(try await client.call("ExecuteMutation", "Add", variables).code == 0)
    }
  }

  @Test func `is ended when its message does not come to an end, and keeps no room`() async throws {
    try await TestEmulator.run(Self.operations) {
      $0.remoteMessageLimit = .milliseconds(100)
    } _: { emulator in
      let stream = try RemoteStreamClient(emulator)
      stream.send(StreamRequestMessage(nil, request: "1", connector: RemoteClient.connector))
      stream.send([0, 0, 0, 1, 0, 1, 2, 3])
      #expect(await stream.ends())
    }
  }

  /// The statements of a kind that the database executes now.
  private func running(_ emulator: TestEmulator) async throws -> JSONValue? {
    let sql =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()"
    return try await emulator.administer("{ _select(sql: \"\(sql)\", params: []) }")["data"]?["_select"]?[0]?["n"]
  }

  @Test func `ends with its timeout, and the work with it`() async throws {
    try await Self.with { emulator, client in
      let late = try await client.call("ExecuteQuery", "Slow", headers: ["grpc-timeout": "300m"])
      #expect(late.code == GRPCCode.deadlineExceeded.rawValue, "\(late.lines)")
      while try await running(emulator) != 0 { await Task.yield() }
      let never = try await client.call("ExecuteQuery", "Public", headers: ["grpc-timeout": "forever"])
      #expect(never.code == GRPCCode.internal.rawValue)
      #expect(try await client.call("ExecuteQuery", "Public", headers: ["grpc-timeout": "20S"]).code == 0)
    }
  }

  @Test func `stops its work when the client resets it`() async throws {
    try await Self.with { emulator, _ in
      let client = try RawClient(port: emulator.address.port)
      let header = HTTP2Frame.request(
        "/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery", more: [("content-type", "application/grpc")])
      let message = OperationMessage(connector: RemoteClient.connector, operation: "Slow").bytes
      client.send(HTTP2Frame.start() + HTTP2Frame.bytes(.headers, flags: 4, stream: 1, header))
      client.send(HTTP2Frame.bytes(.data, flags: 1, stream: 1, GRPCMessageReader.framed(message)))
      while try await running(emulator) != 1 { await Task.yield() }
      client.send(HTTP2Frame.bytes(.reset, stream: 1, HTTP2Frame.number(8)))
      while try await running(emulator) != 0 { await Task.yield() }
    }
  }

  @Test func `comes by the port that HTTP/1 comes by, whatever pieces it comes in`() async throws {
    try await Self.with { emulator, _ in
      let plain = "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      for cut in [1, 3, 20] {
        let client = try RawClient(port: emulator.address.port)
        client.send(String(plain.prefix(cut)))
        #expect(!client.hasAnswered(within: 20))
        client.send(String(plain.dropFirst(cut)))
        #expect(await client.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 404"))
      }
      for cut in [1, 13, 14, 23] {
        let client = try RawClient(port: emulator.address.port)
        client.send(Array(HTTP2Frame.start().prefix(cut)))
        client.send(Array(HTTP2Frame.start().dropFirst(cut)) + HTTP2Frame.call("/x", stream: 1))
        let isEnd: @Sendable ([UInt8]) -> Bool = { HTTP2Frame.all(in: $0).frames.contains { $0.endsStream } }
        #expect(isEnd(await client.receivedBytes(until: isEnd)))
      }
      let gone = try RawClient(port: emulator.address.port)
      gone.send("PRI")
      gone.finish()
      #expect(gone.received().isEmpty)
    }
  }

  // MARK: Streams

  private static func message(
    _ action: StreamRequestMessage.Action, _ request: String, connector: String? = nil
  ) -> StreamRequestMessage {
    StreamRequestMessage(action, request: request, connector: connector)
  }

  @Test func `is a stream on which subscriptions get what is written`() async throws {
    try await Self.with { emulator, client in
      let stream = try RemoteStreamClient(emulator)
      stream.send(StreamRequestMessage(nil, request: "first", connector: RemoteClient.connector))
      stream.send(Self.message(.subscribe(OperationMessage(operation: "Public")), "sub-1"))
      #expect(await stream.hears("sub-1"))
      _ = try await emulator.mutate("Add", ["title": "by REST"])
      #expect(await stream.hears("by REST"))
      _ = try await client.call("ExecuteMutation", "Add", ["title": "by gRPC"])
      #expect(await stream.hears("by gRPC"))
      stream.send(
        Self.message(.execute(OperationMessage(operation: "Add", variables: ["title": "by the stream"])), "do-1"))
      #expect(await stream.hears("by the stream"))
      stream.send(Self.message(.execute(OperationMessage(operation: "Nothing")), "do-2"))
      #expect(await stream.hears("not found"))
      // Nothing is answered to a cancellation.
      stream.send(Self.message(.cancel, "sub-1"))
      stream.send(
        Self.message(.execute(OperationMessage(operation: "Add", variables: ["title": "after"])), "do-3"))
      // No frame answers the end of a subscription, and none follows it.
      #expect(await stream.hears("do-3", before: "sub-1"))
      while emulator.emulator.liveQueries.count > 0 { await Task.yield() }
      stream.finish()
      #expect(await stream.ends())
      while emulator.emulator.openStreams.load(ordering: .relaxed) > 0 { await Task.yield() }
    }
  }

  @Test func `is a stream that ends as too late with its timeout`() async throws {
    try await Self.with { emulator, _ in
      let stream = try RemoteStreamClient(emulator, headers: [("grpc-timeout", "300m")])
      let subscription = StreamRequestMessage.Action.subscribe(OperationMessage(operation: "Public"))
      stream.send(Self.message(subscription, "sub-1", connector: RemoteClient.connector))
      #expect(await stream.hears("sub-1"))
      #expect(await stream.ends())
      // A text of one character is not compressed.
      #expect(stream.trailers.firstRange(of: [1, UInt8(ascii: "4")]) != nil, "\(stream.trailers)")
      while emulator.emulator.liveQueries.count > 0 { await Task.yield() }
    }
  }

  @Test func `is a stream whose token is that of the call, until a message has another`() async throws {
    try await Self.with { emulator, _ in
      let stream = try RemoteStreamClient(emulator)
      stream.send(Self.message(.subscribe(OperationMessage(operation: "User")), "a", connector: RemoteClient.connector))
      #expect(await stream.hears("you are not authorized"))
      var token = StreamRequestMessage(nil)
      token.headers["X-Firebase-Auth-Token"] = TestEmulator.token("ann")
      stream.send(token)
      stream.send(Self.message(.execute(OperationMessage(operation: "User")), "second"))
      #expect(await stream.hears("second"))
      token.headers["X-Firebase-Auth-Token"] = "nonsense"
      stream.send(token)
      #expect(await stream.ends())
    }
  }

  @Test func `is a stream that ends at a later message that names another location`() async throws {
    try await Self.with { emulator, _ in
      let stream = try RemoteStreamClient(emulator)
      let subscription = StreamRequestMessage.Action.subscribe(OperationMessage(operation: "Public"))
      stream.send(Self.message(subscription, "sub-1", connector: RemoteClient.connector))
      #expect(await stream.hears("sub-1"))
      let elsewhere = RemoteClient.connector.replacing("us-east4", with: "us-west1")
      stream.send(Self.message(subscription, "sub-2", connector: elsewhere))
      #expect(await stream.ends())
      while emulator.emulator.liveQueries.count > 0 { await Task.yield() }
    }
  }

  @Test func `is a stream that leaves its subscriptions when it is reset`() async throws {
    try await Self.with { emulator, _ in
      let stream = try RemoteStreamClient(emulator)
      stream.send(
        Self.message(.subscribe(OperationMessage(operation: "Public")), "sub-1", connector: RemoteClient.connector))
      #expect(await stream.hears("sub-1"))
      #expect(emulator.emulator.liveQueries.count == 1)
      stream.reset()
      while emulator.emulator.liveQueries.count > 0 { await Task.yield() }
    }
  }

  @Test(arguments: [
    StreamRequestMessage(.subscribe(OperationMessage(operation: "Public")), request: "1"),
    StreamRequestMessage(.subscribe(OperationMessage(operation: "Public")), connector: RemoteClient.connector),
    StreamRequestMessage(nil, request: "1", connector: "nonsense"),
    StreamRequestMessage(nil, request: "1", connector: RemoteClient.connector.replacing("us-east4", with: "local")),
    StreamRequestMessage(.cancel, request: String(repeating: "x", count: 513), connector: RemoteClient.connector),
  ])
  func `is a stream that ends at a message without its names`(message: StreamRequestMessage) async throws {
    try await Self.with { emulator, _ in
      let stream = try RemoteStreamClient(emulator)
      stream.send(message)
      #expect(await stream.ends())
      #expect(emulator.emulator.liveQueries.count == 0)
    }
  }
}
