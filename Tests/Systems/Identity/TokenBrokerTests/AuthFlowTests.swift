import ConfigurationFiles
import Files
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing
import Text

@testable import TokenBroker

/// A server of native authentication in this process: answers in turn, and keeps what was asked.
private final class NativeServer: Sendable {
  private let state: Mutex<(asked: [ServerRequest], answers: [ServerResponse])>

  init(_ answers: ServerResponse...) { state = Mutex(([], answers)) }

  var asked: [ServerRequest] { state.withLock { $0.asked } }

  func run<Value>(_ body: (TokenBroker, FakeClock) async throws -> Value) async throws -> Value {
    let handler: HTTPServer.Handler = { request in
      let base = "http://\(request.header("Host") ?? "")"
      if request.method == "GET", let document = FakeKey.document(at: request.path, base: base) {
        return json(document)
      }
      return self.state.withLock { state in
        state.asked.append(request)
        return state.answers.isEmpty ? ServerResponse(status: 500) : state.answers.removeFirst()
      }
    }
    return try await HTTPServer(handler: handler).withRunning { address in
      let (directory, clock) = (try TemporaryDirectory(), FakeClock())
      let configuration = try IdentityConfiguration(
        authority: "\(address.url)/contoso", clientID: "client", kind: .native,
        additionalHeaders: ["X-Tenant-Hint": "one", "Content-Type": "text/plain"])
      let broker = TokenBroker(
        configuration, client: .patient, cache: TokenCache(folder: directory.path) { _ in }, clock: clock.clock)
      return try await body(broker, clock)
    }
  }
}

private func json(_ body: JSONValue, status: Int = 200) -> ServerResponse { FakeIdentity.json(body, status: status) }

private let challenge: JSONValue = [
  "continuation_token": "ct-2", "challenge_type": "oob", "challenge_channel": "email",
  "challenge_target_label": "a***", "code_length": 8,
]

@Suite(.timeLimit(.minutes(1)))
struct `A flow of native authentication` {
  @Test func `sends forms with one correlation id, and keeps what it is given`() async throws {
    let server = NativeServer(
      json(["continuation_token": "ct-1"]), json(["continuation_token": "ct-2", "challenge_type": "password"]),
      json(grantBody("at-1", refresh: "rt-1")))
    try await server.run { broker, _ in
      let scopes = try ScopeList(["api://one/Read"])
      let flow = try broker.makeFlow(
        FlowStart(.signIn, username: "a+b@example.com", password: Secret("p&q=ä +%"), scopes: scopes))
      let progress = await flow.begin()
      let account = Account(id: "u1.t1", username: "ann@example.com", name: "Ann", signedIn: true)
      #expect(progress == FlowProgress(.completed(account)))
      #expect(try await broker.accounts() == [account])
      #expect(try await broker.token(scopes: ["api://one/Read"]).secret == Secret("at-1"))
      #expect(
        server.asked.map(\.path)
          == ["/contoso/oauth2/v2.0/initiate", "/contoso/oauth2/v2.0/challenge", "/contoso/oauth2/v2.0/token"])
      for request in server.asked {
        #expect(request.method == "POST" && request.query == nil)
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.header("client-request-id") == flow.correlationID)
        #expect(request.header("x-client-SKU") == "Annex" && request.header("X-Tenant-Hint") == "one")
        #expect(request.header("x-client-current-telemetry") != nil && request.header("x-client-last-telemetry") != nil)
      }
      #expect(parseForm(server.asked[0].body)["username"] == "a+b@example.com")
      #expect(parseForm(server.asked[2].body)["password"] == "p&q=ä +%")
      let text = String(decoding: server.asked[2].body, as: UTF8.self)
      #expect(text.contains("password=p%26q%3D%C3%A4%20%2B%25"))
    }
  }

  @Test(arguments: [
    (ServerResponse(status: 200), AuthError.Kind.invalidAnswer), (ServerResponse(status: 500), .serverUnavailable),
    (ServerResponse(text: "<html>Sign in</html>", contentType: "text/html"), .invalidAnswer),
    (ServerResponse(text: "[]"), .invalidAnswer), (ServerResponse(text: "{\"continuation_token\":"), .invalidAnswer),
    (ServerResponse(text: "{\"continuation_token\":[1]}"), .invalidAnswer),
    (ServerResponse(text: String(repeating: "[", count: 100_000)), .invalidAnswer),
    (ServerResponse(status: 302, headers: [ServerField("Location", "/x")]), .invalidAnswer),
    (ServerResponse(text: String(repeating: "x", count: 2 << 20)), .tooLarge),
    (ServerResponse(status: 404, text: "Not here"), .invalidAnswer),
  ])
  func `says what is wrong with an answer`(answer: ServerResponse, kind: AuthError.Kind) async throws {
    let server = NativeServer(answer)
    try await server.run { broker, _ in
      let flow = try broker.makeFlow(FlowStart(.signIn, username: "ann@example.com"))
      let progress = await flow.begin()
      guard case .failed(let error) = progress.state else {
        Issue.record("\(progress.state.wish)")
        return
      }
      #expect(error.kind == kind && error.correlationID == flow.correlationID)
      #expect(progress.problem == error && server.asked.count == 1)
    }
  }

  @Test func `goes on where it was when the server comes back`() async throws {
    let server = NativeServer(
      json(["continuation_token": "ct-1"]), json(challenge), ServerResponse(status: 503),
      json(refusalBody("invalid_grant", nil, "invalid_oob_value"), status: 400), json(grantBody("at-1")))
    try await server.run { broker, _ in
      let flow = try broker.makeFlow(FlowStart(.signIn, username: "ann@example.com"))
      let state = await flow.begin().state
      for kind in [AuthError.Kind.serverUnavailable, .invalidCode] {
        let progress = try await flow.submit(.code(Secret("12345678")))
        #expect(progress.state == state && progress.problem?.kind == kind)
      }
      guard case .completed = try await flow.submit(.code(Secret("87654321"))).state else {
        Issue.record("The flow did not end.")
        return
      }
      await #expect(throws: AuthError.self) { try await flow.submit(.resend) }
    }
  }

  @Test func `waits for the new password at the server's pace`() async throws {
    let server = NativeServer(
      json(["continuation_token": "ct-1"]), json(challenge), json(["continuation_token": "ct-3", "expires_in": 600]),
      json(["continuation_token": "ct-4", "poll_interval": 5]),
      json(["continuation_token": "ct-5", "status": "in_progress"]),
      json(["continuation_token": "ct-6", "status": "succeeded"]), json(grantBody("at-1")))
    try await server.run { broker, clock in
      let flow = try broker.makeFlow(FlowStart(.resetPassword, username: "ann@example.com"))
      _ = await flow.begin()
      #expect(try await flow.submit(.code(Secret("1"))).state == .newPasswordRequired)
      guard case .completed(let account) = try await flow.submit(.newPassword(Secret("new"))).state else {
        Issue.record("The flow did not end.")
        return
      }
      #expect(account?.username == "ann@example.com")
      #expect(clock.slept == [5, 5])
    }
  }

  @Test func `takes the place of who was signed in before`() async throws {
    let other = Base64URL.encode(Array(#"{"uid":"u2","utid":"t1"}"#.utf8))
    let server = NativeServer(
      json(["continuation_token": "c"]), json(["continuation_token": "c", "challenge_type": "password"]),
      json(grantBody("at-2", more: ["client_info": .string(other), "id_token": .null])))
    try await server.run { broker, _ in
      let first = try TokenGrant(
        ServerReply(status: 200, body: .object(grantBody("at-1").objectValue ?? [:])), server: "test")
      _ = try await broker.signedIn(first, username: "ann", asked: .standard)
      let flow = try broker.makeFlow(FlowStart(.signIn, username: "Bob", password: Secret("p")))
      _ = await flow.begin()
      #expect(try await broker.accounts().map(\.id) == ["u2.t1"])
      #expect(try await broker.accounts().map(\.username) == ["Bob"])
    }
  }

  @Test func `is left where it was by one who gives up`() async throws {
    let server = NativeServer(json(["continuation_token": "ct-1"]), json(challenge))
    try await server.run { broker, _ in
      let flow = try broker.makeFlow(FlowStart(.signIn, username: "ann@example.com"))
      let state = await flow.begin().state
      let progress = await withTaskGroup(of: FlowProgress?.self) { group in
        group.addTask {
          withUnsafeCurrentTask { $0?.cancel() }
          return try? await flow.submit(.code(Secret("1")))
        }
        return await group.next() ?? nil
      }
      #expect(progress?.state == state && progress?.problem?.kind == .cancelled)
    }
  }
}

/// Everything that a flow, a refresh, a call and a cache show of themselves, searched for what nobody may see.
@Suite(.timeLimit(.minutes(1)))
struct `What is secret` {
  private static let words = [
    "password-secret", "code-9876", "ct-secret", "at-secret", "rt-secret", "new-secret", "claim-secret",
  ]

  private func shown(_ values: Any...) -> String {
    var text = ""
    for value in values {
      text += "\(value) \(String(reflecting: value)) "
      dump(value, to: &text)
    }
    return text
  }

  /// The server sends back what it was sent, and what it made up, in every error.
  private func echoing() -> FakeServer {
    FakeServer { path, form in
      let sent = form.values.joined(separator: " ")
      let more: JSONObject = [
        "error_description": .string("AADSTS90100: \(sent) ct-secret"), "continuation_token": "ct-secret",
        "suberror": "x",
      ]
      if form["grant_type"] == nil, path.hasSuffix("initiate") { return .json(["continuation_token": "ct-secret"]) }
      if path.hasSuffix("challenge") { return .json(["continuation_token": "ct-secret", "challenge_type": "oob"]) }
      return .refusal("invalid_request", 90100, more: more)
    }
  }

  @Test func `is in no error, no state and no description`() async throws {
    let place = try BrokerPlace(echoing())
    try await place.signIn(grantBody("at-secret", refresh: "rt-secret"))
    let start = FlowStart(
      .signIn, username: "ann@example.com", password: Secret("password-secret"), scopes: .standard)
    let flow = try place.broker.makeFlow(start)
    let begun = await flow.begin()
    let progress = try await flow.submit(.code(Secret("code-9876")))
    let error = await #expect(throws: AuthError.self) {
      try await place.broker.token(
        scopes: ["api://one/Read"], forceRefresh: true, claims: #"{"a":"claim-secret"}"#)
    }
    let token = try await place.broker.token(scopes: ["api://one/Read"])
    #expect(token.secret.revealed() == "at-secret")
    var machine = AuthFlowMachine(start, configuration: place.broker.configuration)
    let effect = machine.begin()
    let inputs: [FlowInput] = [.newPassword(Secret("new-secret")), .code(Secret("code-9876"))]
    let grant = try TokenGrant(
      ServerReply(status: 200, body: .object(grantBody("at-secret", refresh: "rt-secret").objectValue ?? [:])),
      server: "test")
    let reply = ServerReply(status: 200, body: .object(["access_token": "at-secret"]))
    let text = shown(
      begun, progress, error as Any, token, start, machine, effect, inputs, grant, reply,
      try await place.cache.contents(), place.reports.all,
      TokenAsk(
        identity: place.broker.identity("a"), scopes: .standard, claims: nil, refused: RefusedToken(token)))
    for word in Self.words { #expect(!text.contains(word), "\(word)") }
    #expect(text.contains("ann@example.com"))
  }

  @Test func `is in no file but encrypted`() async throws {
    let place = try BrokerPlace(FakeServer())
    try await place.signIn(grantBody("at-secret", refresh: "rt-secret"))
    for name in ["tokens", "tokens.key", "tokens.lock"] {
      let bytes = try File.read("\(place.cache.folder)/\(name)", limit: 1 << 20)
      let text = String(decoding: bytes, as: UTF8.self)
      for word in Self.words + ["u1.t1", "ann@"] { #expect(!text.contains(word)) }
    }
  }
}
