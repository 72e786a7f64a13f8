import ConfigurationFiles
import HTTPClient
import JSON
import Synchronization
import Testing

@testable import TokenBroker

/// The pace at which a server is asked whether the user has agreed on another device.
@Suite(.timeLimit(.minutes(1)))
struct `The pace of a device code` {
  private func machine(_ interval: Int = 5, end: Int = 1_000) -> DeviceCodeMachine {
    DeviceCodeMachine(interval: interval, end: end, server: "s")
  }

  private func refusal(_ word: String, _ status: Int = 400) -> ServerReply {
    ServerReply(status: status, body: .object(["error": .string(word)]))
  }

  private func kind(_ step: DeviceCodeMachine.Step) -> AuthError.Kind? {
    if case .failed(let error) = step { error.kind } else { nil }
  }

  @Test func `ends with the code, to the second`() {
    #expect(machine(5, end: 100).begin(now: 94) == .wait(seconds: 5))
    #expect(kind(machine(5, end: 100).begin(now: 95)) == .flowExpired)
    var machine = machine(5, end: 100)
    #expect(machine.receive(refusal("authorization_pending"), hiding: [], now: 94) == .wait(seconds: 5))
    #expect(kind(machine.receive(refusal("authorization_pending"), hiding: [], now: 95)) == .flowExpired)
  }

  @Test func `is slower by five seconds each time, and at most two minutes`() {
    var machine = machine(112)
    for seconds in [117, 120, 120] {
      #expect(machine.receive(refusal("slow_down"), hiding: [], now: 0) == .wait(seconds: seconds))
    }
    #expect(machine.receive(refusal("authorization_pending"), hiding: [], now: 0) == .wait(seconds: 120))
    var soon = self.machine(5, end: 100)
    #expect(kind(soon.receive(refusal("slow_down"), hiding: [], now: 90)) == .flowExpired)
  }

  @Test func `is half as fast while the server is down, and at most two minutes`() {
    for kind in AuthError.Kind.allCases {
      var machine = machine(20)
      let error = AuthError(kind, "What happened.")
      for seconds in [40, 80, 120, 120] {
        let expected: DeviceCodeMachine.Step = error.isTransient ? .wait(seconds: seconds) : .failed(error)
        #expect(machine.receive(error, now: 0) == expected)
      }
    }
    var machine = machine(20)
    for status in [500, 503, 429] {
      let step = machine.receive(ServerReply(status: status, body: .empty), hiding: [], now: 0)
      #expect(step == .wait(seconds: machine.interval))
    }
    #expect(machine.interval == 120)
  }

  @Test func `ends with what the server says otherwise`() {
    for (word, expected) in [
      ("access_denied", .accessDenied), ("expired_token", .flowExpired), ("invalid_grant", .flowExpired),
      ("invalid_client", .clientNotAllowed), ("invalid_request", .invalidRequest),
    ] as [(String, AuthError.Kind)] {
      var machine = machine()
      #expect(kind(machine.receive(refusal(word), hiding: [], now: 0)) == expected)
    }
    var machine = machine()
    #expect(kind(machine.receive(ServerReply(status: 200, body: .empty), hiding: [], now: 0)) == .invalidAnswer)
    guard
      case .granted(let grant) = machine.receive(
        ServerReply(status: 200, body: .object(["access_token": "at"])), hiding: [], now: 999_999)
    else {
      Issue.record("The tokens were not taken.")
      return
    }
    #expect(grant.accessToken == Secret("at"))
  }

  // MARK: The code

  private static let reply: JSONObject = [
    "device_code": "d", "user_code": "AB", "verification_uri": "https://h/verify", "interval": 3,
  ]

  private func flow(_ change: JSONObject, _ answers: FakeServer = FakeServer()) throws -> (DeviceCodeFlow, BrokerPlace)
  {
    var body = Self.reply
    for (name, value) in change { body[name] = value.isNull ? nil : value }
    let place = try BrokerPlace(answers, kind: .openIDConnect, authority: "https://id.example")
    let configuration = place.broker.configuration
    let metadata: JSONObject = ["issuer": "https://id.example", "token_endpoint": "https://id.example/token"]
    let endpoints = try ServerMetadata(
      ServerReply(status: 200, body: .object(metadata)), configuration: configuration)
    let flow = try DeviceCodeFlow(
      ServerReply(status: 200, body: .object(body)), broker: place.broker, endpoints: endpoints, scopes: .standard)
    return (flow, place)
  }

  @Test func `has all that a user needs to agree, or is none`() throws {
    for (name, value) in [
      ("device_code", .null), ("user_code", .null), ("verification_uri", .null), ("verification_uri", "javascript:1"),
      ("user_code", .string(String(repeating: "a", count: 65))), ("user_code", ""),
    ] as [(String, JSONValue)] {
      let error = #expect(throws: AuthError.self, "\(name)") { try flow([name: value]) }
      #expect(error?.kind == .invalidAnswer)
    }
    let longest = String(repeating: "a", count: 64)
    #expect(try flow(["user_code": .string(longest)]).0.userCode == longest)
    let old = try flow(["verification_uri": .null, "verification_url": "https://h/old"]).0
    #expect(old.verificationURL == "https://h/old" && old.completeURL == nil)
    let complete = try flow(["verification_url": "https://h/old", "verification_uri_complete": "https://h/v?c=AB"]).0
    #expect(complete.verificationURL == "https://h/verify" && complete.completeURL == "https://h/v?c=AB")
    #expect(try flow(["verification_uri_complete": "javascript:1"]).0.completeURL == nil)
  }

  @Test(
    arguments: [
      (.null, 900), (60, 60), (0, 1), (86_400, 86_400), (86_401, 86_400), ("70", 70),
    ] as [(JSONValue, Int)])
  func `lives as long as the server says, within a day`(value: JSONValue, seconds: Int) throws {
    let (flow, place) = try flow(["expires_in": value])
    #expect(flow.expiresAt == place.clock.now + seconds)
  }

  @Test(arguments: [(.null, 5), (3, 3), (0, 1), (120, 120), (121, 120)] as [(JSONValue, Int)])
  func `begins with a wait, at the server's pace`(value: JSONValue, seconds: Int) async throws {
    let server = FakeServer(
      .refusal("authorization_pending"), .down, .json(["access_token": "at", "token_type": "Bearer"]))
    let (flow, place) = try flow(["interval": value], server)
    _ = try await flow.wait()
    #expect(place.clock.slept == [seconds, seconds, min(2 * seconds, 120)])
    #expect(try await place.broker.accounts().map(\.id) == ["unknown"])
  }

  @Test func `that is left waits no more`() async throws {
    let (flow, place) = try flow([:])
    let found = await withTaskGroup(of: AuthError.Kind?.self) { group in
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(AuthError) {
          _ = try await flow.wait()
          return nil
        } catch { return error.kind }
      }
      return await group.next() ?? nil
    }
    #expect(found == .cancelled && place.server.asked.isEmpty)
  }
}

/// The page that a browser comes back to, without a port.
@Suite(.timeLimit(.minutes(1)))
struct `The page of a sign-in in a browser` {
  private typealias Page = @Sendable (_ method: String, _ path: String, _ query: String?) -> (status: Int, text: String)

  private final class Kept: Sendable {
    let page = Mutex<Page?>(nil)
    let statuses = Mutex<[Int]>([])
    let texts = Mutex<[String]>([])
    let url = Mutex("")
    func ask(_ method: String, _ path: String, _ query: String?) {
      guard let page = page.withLock({ $0 }) else { return }
      let answer = page(method, path, query)
      statuses.withLock { $0.append(answer.status) }
      texts.withLock { $0.append(answer.text) }
    }
  }

  private func run(
    endpoint: String, path: String, hint: String? = nil, answers: FakeServer = FakeServer(),
    browser: @escaping @Sendable (_ kept: Kept, _ state: String) -> Void
  ) async throws -> (Kept, AuthError?) {
    let place = try BrokerPlace(answers, kind: .openIDConnect, authority: "https://id.example")
    let metadata: JSONObject = [
      "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
      "authorization_endpoint": .string(endpoint),
    ]
    place.server.queue(.json(.object(metadata)))
    let kept = Kept()
    let listener: RedirectListener = { page, body in
      kept.page.withLock { $0 = page }
      try await body("http://127.0.0.1:9")
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: .standing, transport: place.server.transport)
    let flow = try await broker.makeAuthorizationCodeFlow(loginHint: hint, path: path)
    do throws(AuthError) {
      _ = try await flow.run(listening: listener) { url in
        kept.url.withLock { $0 = url }
        browser(kept, parseForm(Array(url.drop { $0 != "?" }.dropFirst().utf8))["state"] ?? "")
      }
      return (kept, nil)
    } catch { return (kept, error) }
  }

  @Test func `takes the first answer of this sign-in, at its path, and no second one`() async throws {
    let (kept, error) = try await run(endpoint: "https://id.example/authorize", path: "/back") { kept, state in
      kept.ask("GET", "/", "code=c&state=\(state)")
      kept.ask("GET", "/back/", "code=c&state=\(state)")
      kept.ask("POST", "/back", "code=c&state=\(state)")
      kept.ask("GET", "/back", nil)
      kept.ask("GET", "/back", "code=c&state=x\(state)")
      kept.ask("GET", "/back", "code=c&state=\(state)")
      kept.ask("GET", "/back", "code=d&state=\(state)")
      kept.ask("GET", "/back", "error=access_denied&state=\(state)")
    }
    #expect(kept.statuses.withLock { $0 } == [404, 404, 404, 400, 400, 200, 410, 410])
    #expect(kept.texts.withLock { $0.dropFirst(5).first } == "You can close this page and go back to the program.\n")
    // The server that redeems the code is down.
    #expect(error?.kind == .unreachable)
  }

  @Test func `takes a refusal for the answer, and no code after it`() async throws {
    let (kept, error) = try await run(endpoint: "https://id.example/authorize", path: "/") { kept, state in
      kept.ask("GET", "/", "error=access_denied&state=\(state)")
      kept.ask("GET", "/", "code=c&state=\(state)")
    }
    #expect(kept.statuses.withLock { $0 } == [200, 410] && error?.kind == .accessDenied)
    #expect(
      kept.texts.withLock { $0 } == [
        "The sign-in was not completed. You can close this page.\n", "This sign-in is over.\n",
      ])
  }

  @Test func `is named in the address that the browser is sent to, whatever that has already`() async throws {
    for (endpoint, start) in [
      ("https://id.example/authorize", "https://id.example/authorize?response_type=code&"),
      ("https://id.example/authorize?p=1", "https://id.example/authorize?p=1&response_type=code&"),
    ] {
      for hint in [nil, "ann@example.com"] {
        let (kept, _) = try await run(endpoint: endpoint, path: "/back", hint: hint) { kept, state in
          kept.ask("GET", "/back", "error=access_denied&state=\(state)")
        }
        let url = kept.url.withLock { $0 }
        let asked = parseForm(Array(url.drop { $0 != "?" }.dropFirst().utf8))
        #expect(url.hasPrefix(start) && asked["login_hint"] == hint && asked["client_id"] == "client")
        #expect(asked["redirect_uri"] == "http://127.0.0.1:9/back")
        #expect(asked["scope"] == "openid profile offline_access" && asked["nonce"] != asked["state"])
      }
    }
  }

  @Test func `is not there for a server that has none, nor a password for one that goes step by step`() async throws {
    let place = try BrokerPlace(
      FakeServer(.json(["issuer": "https://id.example", "token_endpoint": "https://id.example/token"])),
      kind: .openIDConnect, authority: "https://id.example")
    let page = await #expect(throws: AuthError.self) { try await place.broker.makeAuthorizationCodeFlow() }
    let device = await #expect(throws: AuthError.self) { try await place.broker.makeDeviceCodeFlow() }
    #expect(page?.kind == .notSupported && device?.kind == .notSupported && place.server.asked.count == 1)
    let native = try BrokerPlace(FakeServer())
    let password = await #expect(throws: AuthError.self) {
      try await native.broker.signIn(username: "ann", password: Secret("p"))
    }
    #expect(password?.kind == .notSupported && native.server.asked.isEmpty)
  }
}
