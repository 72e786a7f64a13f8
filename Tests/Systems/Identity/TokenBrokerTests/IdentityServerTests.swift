import JSON
import ConfigurationFiles
import Cryptography
import HTTPClient
import HTTPServer
import IdentityServer
import Synchronization
import TestSupport
import TestUsers
import Testing
import Time

@testable import TokenBroker

private let first = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"
private let second = "api://22223333-cccc-4444-dddd-5555eeee6666/"
private let password = Secret("Correct-Horse-7")

/// The identity server of this package, and a broker that signs in there.
private struct Place {
  let server: IdentityServer
  let url: String
  let broker: TokenBroker
  private let directory: TemporaryDirectory

  /// One key for all, for making one takes long.
  private static let key = Result { () -> (TemporaryDirectory, String) in
    let directory = try TemporaryDirectory()
    return (directory, try directory.write(try RSAPrivateKey.generate().pem(), to: "key.pem"))
  }

  static func run(
    _ kind: IdentityConfiguration.Kind = .native, _ body: (Place) async throws -> Void,
    with change: (inout IdentityServer.Configuration) throws -> Void = { _ in }
  ) async throws {
    var configuration = try IdentityServer.Configuration.ofTests(
      "ada@example.com", "eve@example.com", "kim@example.com", password: password.revealed())
    for index in 1...2 { configuration.users[index].needsSecondFactor = true }
    configuration.users[1].methods = [
      .init(id: "email-1", channel: "email", target: "eve@example.com"),
      .init(id: "sms-1", channel: "sms", target: "+4915112345"),
    ]
    configuration.users.append(IdentityUser(username: "bob@example.com"))
    configuration.lifetimes.pollInterval = 1
    configuration.signingKeyFile = try key.get().1
    try change(&configuration)
    let server = try IdentityServer(configuration: configuration)
    try await server.withRunning { address in
      let directory = try TemporaryDirectory()
      let authority = kind == .native ? "\(address.url)/local" : address.url
      let clock = WallClock(now: WallClock.system.now, sleep: { _ in try Task.checkCancellation() })
      let broker = TokenBroker(
        try IdentityConfiguration(authority: authority, clientID: IdentityClient.native.id, kind: kind),
        client: .patient, cache: TokenCache(folder: directory.path) { Issue.record("\($0)") }, clock: clock)
      try await body(Place(server: server, url: address.url, broker: broker, directory: directory))
    }
  }

  func flow(_ kind: FlowKind, _ name: String, _ password: Secret? = nil) throws -> AuthFlow {
    try broker.makeFlow(
      FlowStart(kind, username: "\(name)@example.com", password: password, scopes: try ScopeList([first])))
  }

  func code(_ recipient: String) throws -> Secret { Secret(try #require(server.outbox.code(for: recipient))) }

  /// Calls an API with a token, by the policy.
  func call(_ path: String, _ scope: String) async throws -> (status: Int, tokens: [Secret]) {
    let tokens = Mutex<[Secret]>([])
    let response = try await broker.call(scopes: [scope]) { token in
      tokens.withLock { $0.append(token.secret) }
      return try await HTTPClient.patient.send(
        HTTPRequest("GET", url + path, headers: ["Authorization": "Bearer \(token.secret.revealed())"]))
    } verdict: {
      CallVerdict(status: $0.status, headers: $0.headers, body: $0.body)
    }
    return (response.status, tokens.withLock { $0 })
  }
}

private func name(_ progress: FlowProgress) -> String? {
  if case .completed(let account) = progress.state { account?.username } else { nil }
}

@Suite(.timeLimit(.minutes(1)))
struct `The identity server of this package` {
  @Test func `signs in by password, and gives two APIs a token each`() async throws {
    try await Place.run { place in
      #expect(name(await (try place.flow(.signIn, "ada", password)).begin()) == "ada@example.com")
      let one = try await place.call("/api1/items", first)
      let two = try await place.call("/api2/items", "\(second).default")
      #expect(one.status == 200 && two.status == 200)
      #expect(one.tokens.count == 1 && two.tokens.count == 1 && one.tokens != two.tokens)
      let again = try await place.broker.token(scopes: ["\(second).default"])
      #expect(again.source == .cache && [again.secret] == two.tokens)
      try await place.broker.signOut()
      #expect(try await place.broker.accounts().isEmpty)
    }
  }

  @Test func `signs in by code, after a wrong one`() async throws {
    try await Place.run { place in
      let flow = try place.flow(.signIn, "bob")
      guard case .codeRequired(let sent) = await flow.begin().state else {
        Issue.record("No code was sent.")
        return
      }
      #expect(sent.channel == "email" && sent.length == 8)
      #expect(try await flow.submit(.code(Secret("00000000"))).problem?.kind == .invalidCode)
      #expect(name(try await flow.submit(.code(try place.code("bob@example.com")))) == "bob@example.com")
    }
  }

  @Test func `wants a second factor, and lets the user choose`() async throws {
    try await Place.run { place in
      let flow = try place.flow(.signIn, "eve", password)
      guard case .mfaMethodRequired(let methods) = await flow.begin().state else {
        Issue.record("No choice was given.")
        return
      }
      #expect(methods.map(\.channel) == ["email", "sms"])
      let chosen = try await flow.submit(.method(id: "sms-1"))
      #expect(chosen.problem == nil)
      #expect(name(try await flow.submit(.code(try place.code("+4915112345")))) == "eve@example.com")
    }
  }

  @Test func `registers a second factor`() async throws {
    try await Place.run { place in
      let flow = try place.flow(.signIn, "kim", password)
      guard case .registrationRequired(let methods) = await flow.begin().state else {
        Issue.record("No registration was asked for.")
        return
      }
      let channel = try #require(methods.first { $0.channel == "sms" })
      _ = try await flow.submit(.register(id: channel.id, contact: "+491701234567"))
      #expect(name(try await flow.submit(.code(try place.code("+491701234567")))) == "kim@example.com")
    }
  }

  @Test func `signs up with a password and attributes`() async throws {
    try await Place.run { place in
      let flow = try place.flow(.signUp, "new")
      _ = await flow.begin()
      #expect(try await flow.submit(.code(try place.code("new@example.com"))).state == .passwordRequired)
      #expect(try await flow.submit(.password(Secret("a"))).problem?.kind == .weakPassword)
      let asked = try await flow.submit(.password(Secret("Quite-Long-Enough-9")))
      guard case .attributesRequired(let attributes) = asked.state else {
        Issue.record("No attributes were asked for.")
        return
      }
      #expect(attributes.map(\.name) == ["city"])
      #expect(try await flow.submit(.attributes(["city": "42"])).problem?.kind == .invalidAttributes)
      #expect(name(try await flow.submit(.attributes(["city": "bern"]))) == "new@example.com")
      #expect(await (try place.flow(.signUp, "ada")).begin().problem?.kind == .userAlreadyExists)
    } with: {
      $0.attributes = [AttributeRule("city", pattern: "^[a-z]+$")]
    }
  }

  @Test func `resets a password`() async throws {
    try await Place.run { place in
      let flow = try place.flow(.resetPassword, "ada")
      _ = await flow.begin()
      #expect(try await flow.submit(.code(try place.code("ada@example.com"))).state == .newPasswordRequired)
      #expect(try await flow.submit(.newPassword(Secret("a"))).problem?.kind == .weakPassword)
      #expect(name(try await flow.submit(.newPassword(Secret("Another-Horse-8")))) == "ada@example.com")
      #expect(await (try place.flow(.signIn, "ada", password)).begin().problem?.kind == .invalidCredentials)
    }
  }

  @Test func `renews a token that an API does not take, whatever it announced`() async throws {
    for quirks in [[], [.badRequestForExpired], [.emptyUnauthorized], [.noRefreshToken]] as [Set<Quirk>] {
      let clock = Mutex<Int64>(0)
      let start = UnixTime.now.seconds
      try await Place.run { place in
        _ = await (try place.flow(.signIn, "ada", password)).begin()
        #expect(try await place.call("/api1/items", first).tokens.count == 1)
        clock.withLock { $0 += 10 }
        let answer = try await place.call("/api1/items", first)
        #expect(answer.status == 200 && answer.tokens.count == 2)
      } with: { configuration in
        configuration.quirks = quirks.union([.expiryLies])
        configuration.now = { start + clock.withLock { $0 } }
      }
    }
  }

  @Test(arguments: Quirk.allCases) func `is lived with, whatever it does otherwise`(quirk: Quirk) async throws {
    try await Place.run { place in
      #expect(name(await (try place.flow(.signIn, "ada", password)).begin()) != nil)
      if quirk == .bareResponse {
        let error = await #expect(throws: AuthError.self) {
          try await place.broker.token(scopes: [first], forceRefresh: true)
        }
        #expect(error?.kind == .interactionRequired)
      } else {
        let forced = try await place.broker.token(scopes: [first], forceRefresh: true)
        #expect(forced.source == .identityProvider)
      }
      do throws(AuthError) {
        _ = try await place.broker.token(scopes: ["\(second)Orders.Read"])
      } catch {
        let kinds: [AuthError.Kind] =
          [.insufficientScopes, .invalidScope] + (quirk == .bareResponse ? [.interactionRequired] : [])
        #expect(kinds.contains(error.kind), "\(error)")
      }
      #expect(await (try place.flow(.signIn, "ada", Secret("wrong"))).begin().problem?.kind == .invalidCredentials)
    } with: {
      $0.quirks = [quirk]
    }
  }

  @Test func `gives the places of its endpoints, and device codes`() async throws {
    try await Place.run(.openIDConnect) { place in
      let flow = try await place.broker.makeDeviceCodeFlow(scopes: try ScopeList([first]))
      #expect(!flow.userCode.isEmpty && flow.verificationURL.hasPrefix(place.url))
      let page = try await HTTPClient.patient.send(HTTPRequest("GET", flow.verificationURL))
      #expect(page.status == 200)
      let form: FormFields = [
        "user_code": flow.userCode, "username": "ada@example.com", "password": password.revealed(),
        "decision": "allow",
      ]
      let headers: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
      let done = try await HTTPClient.patient.send(
        HTTPRequest("POST", flow.verificationURL, headers: headers, body: form.body))
      #expect(done.status == 200, "\(done.text)")
      #expect(try await flow.wait().username == "ada@example.com")
      #expect(try await place.call("/api1/items", first).status == 200)
    }
  }

  @Test func `signs in by OpenID Connect, and revokes at sign-out`() async throws {
    try await Place.run(.openIDConnect) { place in
      let account = try await place.broker.signIn(
        username: "ada@example.com", password: password, scopes: try ScopeList([first]))
      #expect(account.username == "ada@example.com")
      #expect(try await place.call("/api1/items", first).status == 200)
      #expect(try await place.broker.token(scopes: [first], forceRefresh: true).source == .identityProvider)
      #expect(try await place.broker.signOut() == true)
    }
  }
}
