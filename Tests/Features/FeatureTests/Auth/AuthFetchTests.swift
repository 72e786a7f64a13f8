import JSONRPC
import AppExtensions
import ConfigurationFiles
import ExtensionHosting
import HTTPServer
import HostServices
import IdentityServices
import IdentityServer
import JSON
import Synchronization
import Testing
import TokenBroker

@testable import ExtensionProtocol
@testable import ExtensionTesting

private typealias Place = SignedInHost

@Suite(.timeLimit(.minutes(1)))
struct `A call in the name of who is signed in` {
  @Test func `reaches two APIs with a token each, from one sign-in`() async throws {
    try await Place.run { place in
      try await place.signIn()
      var identity = Place.identity(Place.first)
      identity.permissions[0].scope.append("\(Place.second) → 127.0.0.1:*")
      let url = place.url
      let answers = try await place.host().inWidget(as: identity) { context in
        [
          try await context.fetch("\(url)/api1/items", scopes: [Place.first]),
          try await context.fetch("\(url)/api2/notes", scopes: [Place.second]),
          try await context.fetch("\(url)/api2/notes", scopes: [Place.first]),
        ]
      }
      #expect(answers.map(\.status) == [200, 200, 401])
      #expect(answers.allSatisfy { $0.headers["authorization"] == nil })
    }
  }

  @Test func `goes to no server of the tool on this machine that its user did not open for extensions`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let servers = LocalServers(place.state)
      let api = HTTPServer { request in ServerResponse(text: request.header("Annex-Fetch") ?? "-") }
      try await api.withRunning { address in
        let host = TestHost(
          services: [AuthService(identities: place.identities, avoiding: servers)], permissions: place.permissions)
        @Sendable func call() async throws -> String? {
          try await host.inWidget(as: Place.identity(Place.first)) { context in
            try await context.fetch(address.url, scopes: [Place.first]).body.text
          }
        }
        #expect(try await call() == "1")
        try servers.add(
          LocalServers.Entry(name: "data", host: address.host, port: address.port, admitsFetches: false))
        let error = await #expect(throws: ExtensionError.self) { try await call() }
        #expect(error?.message.contains("host serve data") == true)
      }
    }
  }

  @Test func `tells a server of this machine that a manifest chose it to sign in at`() async throws {
    try await Place.run { place in
      let asked = Mutex<[String]>([])
      let server = HTTPServer { request in
        asked.withLock { $0.append(request.header("Annex-Fetch") ?? "-") }
        return ServerResponse(status: 400)
      }
      try await server.withRunning { address in
        for isOfManifest in [true, false] {
          var settings = place.settings
          settings.authority = address.url
          let book = IdentityBook(state: place.state, settings: settings) { app in
            isOfManifest
              ? Manifest.Identity(authority: address.url, clientID: "notes", challengeTypes: ["password"]) : nil
          }
          let broker = try await book.broker(for: "com.example.\(isOfManifest)")
          let flow = try broker.makeFlow(
            FlowStart(
              .signIn, username: "ada@example.com", password: .init(Place.password),
              scopes: try ScopeList([Place.first])))
          _ = await flow.begin()
        }
      }
      let marks = asked.withLock { $0 }
      #expect(Set(marks) == ["1", "-"] && marks.first == "1")
    }
  }

  @Test func `renews a token that died early, unseen`() async throws {
    try await Place.run { place in
      place.server.faults.set([])
      try await place.signIn()
      let tokens = Mutex<[String]>([])
      // An API that takes no token twice.
      let api = HTTPServer { request in
        let token = request.header("Authorization") ?? "-"
        let isFirst = tokens.withLock { tokens in
          tokens.append(token)
          return tokens.count == 1
        }
        return isFirst ? ServerResponse(status: 401) : ServerResponse(text: "ok")
      }
      let answer = try await api.withRunning { address in
        try await place.host().inWidget(as: Place.identity(Place.first)) { context in
          try await context.fetch(address.url, scopes: [Place.first])
        }
      }
      #expect(answer.body.text == "ok")
      let seen = tokens.withLock { $0 }
      #expect(seen.count == 2 && Set(seen).count == 2 && seen.allSatisfy { $0.hasPrefix("Bearer ") })
    }
  }

  @Test(arguments: [Network.Delivery.inline, .file, .stream])
  func `gives the answer as it is after one more attempt`(delivery: Network.Delivery) async throws {
    try await Place.run { place in
      try await place.signIn()
      let count = Mutex(0)
      let api = HTTPServer { _ in
        count.withLock { $0 += 1 }
        return ServerResponse(status: 400, text: "{\"error\":\"access_denied\"}")
      }
      let text = try await api.withRunning { address in
        try await place.host().inWidget(as: Place.identity(Place.first)) { context in
          let request = Network.Fetch(url: address.url, delivery: delivery)
          guard delivery == .stream else {
            let answer = try await context.fetch(request, scopes: [Place.first])
            return String(decoding: try context.bytes(of: answer), as: UTF8.self)
          }
          var bytes: [UInt8] = []
          for try await piece in try await context.fetchBytes(request, scopes: [Place.first]) { bytes += piece }
          return String(decoding: bytes, as: UTF8.self)
        }
      }
      #expect(text == "{\"error\":\"access_denied\"}")
      #expect(count.withLock { $0 } == 2)
    }
  }

  @Test(arguments: [Network.Delivery.inline, .file, .stream])
  func `keeps the token out of an answer that repeats the request`(delivery: Network.Delivery) async throws {
    try await Place.run { place in
      try await place.signIn()
      let seen = Mutex("")
      let api = HTTPServer { request in
        let field = request.header("Authorization") ?? "-"
        seen.withLock { $0 = field }
        // Once whole, and once more right behind, as an echo of all fields does.
        var answer = ServerResponse(text: "head \(field)\n\(field.dropFirst(7)) tail")
        answer.headers += [ServerField("X-Echo", field), ServerField("X-Plain", "yes")]
        return answer
      }
      let (text, echo, plain) = try await api.withRunning { address in
        try await place.host().inWidget(as: Place.identity(Place.first)) { context in
          let request = Network.Fetch(url: address.url, delivery: delivery)
          guard delivery == .stream else {
            let answer = try await context.fetch(request, scopes: [Place.first])
            let text = String(decoding: try context.bytes(of: answer), as: UTF8.self)
            return (text, answer.headers["x-echo"], answer.headers["x-plain"])
          }
          let answer = try await context.fetchBytes(request, scopes: [Place.first])
          var bytes: [UInt8] = []
          for try await piece in answer { bytes += piece }
          return (String(decoding: bytes, as: UTF8.self), answer.headers["x-echo"], answer.headers["x-plain"])
        }
      }
      let token = String(seen.withLock { $0 }.dropFirst(7))
      #expect(token.count > 100 && !text.contains(token) && echo?.contains(token) != true)
      #expect(text == "head Bearer <redacted>\n<redacted> tail" && plain == "yes")
    }
  }

  @Test func `sends the token to no other origin`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let seen = Mutex<[String]>([])
      let other = HTTPServer { request in
        seen.withLock { $0.append(request.header("Authorization") ?? "-") }
        return ServerResponse(status: 401)
      }
      try await other.withRunning { target in
        let api = HTTPServer { _ in
          ServerResponse(status: 307, headers: [ServerField("Location", "\(target.url)/x")])
        }
        try await api.withRunning { address in
          let answer = try await place.host().inWidget(as: Place.identity(Place.first)) { context in
            try await context.fetch(address.url, scopes: [Place.first])
          }
          #expect(answer.status == 401)
        }
      }
      // Once: what another server says is no reason for a new token.
      #expect(seen.withLock { $0 } == ["-"])
    }
  }

  @Test func `goes only to the servers of an entry with the scopes, and by its redirects too`() async throws {
    try await Place.run { place in
      try await place.signIn()
      var identity = Place.identity(Place.first, servers: ["http://127.0.0.1:1"])
      identity.permissions[0].scope.append("\(Place.second) → 127.0.0.1:*")
      let url = place.url
      let elsewhere = try await place.failure(as: identity) {
        _ = try await $0.fetch("\(url)/api1/items", scopes: [Place.first])
      }
      #expect(elsewhere.code == .permissionDenied && elsewhere.details["permission"] == "auth")
      #expect(elsewhere.recovery?.contains("Annex.Auth") == true)
      let api = HTTPServer { _ in
        ServerResponse(status: 307, headers: [ServerField("Location", "http://localhost:1/")])
      }
      let away = try await api.withRunning { address in
        try await place.failure(as: identity) { _ = try await $0.fetch(address.url, scopes: [Place.second]) }
      }
      #expect(away.code == .networkFailed && away.details["kind"] == "redirect")
    }
  }

  @Test(arguments: [
    [SignedInHost.write], [SignedInHost.first, SignedInHost.write], [SignedInHost.second],
    ["api://11112222-bbbb-3333-cccc-4444dddd5555/.default"],
  ])
  func `needs scopes that one entry has together`(scopes: [String]) async throws {
    try await Place.run { place in
      try await place.signIn()
      let url = place.url
      let error = try await place.failure(as: Place.identity(Place.first)) {
        _ = try await $0.fetch("\(url)/api1/items", scopes: scopes)
      }
      #expect(error.code == .permissionDenied, "\(error)")
      #expect(error.recovery?.contains("Annex.Auth") == true)
    }
  }

  @Test(arguments: [
    [], [""], ["openid"], ["offline_access"], ["openid profile"], ["a b\u{0}"],
    [SignedInHost.first, SignedInHost.second],
  ])
  func `refuses scopes that are no API's, or two APIs'`(scopes: [String]) async throws {
    try await Place.run { place in
      let url = place.url
      var identity = Place.identity(Place.first, Place.second, "openid", "offline_access", "profile")
      identity.permissions[0].scope.append("openid → (token)")
      for isCall in [true, false] {
        let error = try await place.failure(as: identity) { context in
          if isCall {
            _ = try await context.fetch(url, scopes: scopes)
          } else {
            _ = try await context.accessToken(scopes: scopes)
          }
        }
        #expect(error.code == .invalidParams, "\(error)")
      }
    }
  }

  @Test(arguments: ["Authorization", "authorization", "AUTHORIZATION"])
  func `has the host's token, and none of the extension's`(name: String) async throws {
    try await Place.run { place in
      let error = try await place.failure(as: Place.identity(Place.first)) {
        _ = try await $0.fetch("http://127.0.0.1:1/", scopes: [Place.first], headers: [name: "Bearer x"])
      }
      #expect(error.code == .invalidParams)
    }
  }

  @Test func `wants somebody to be signed in`() async throws {
    try await Place.run { place in
      let url = place.url
      let error = try await place.failure(as: Place.identity(Place.first)) {
        _ = try await $0.fetch("\(url)/api1/items", scopes: [Place.first])
      }
      #expect(error.code == .interactionRequired && error.details["kind"] == "noAccount")
    }
  }

  @Test func `says that the user has to agree, and under which number the server knows it`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let scope = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Admin"
      let url = place.url
      let error = try await place.failure(as: Place.identity(scope)) {
        _ = try await $0.fetch("\(url)/api1/items", scopes: [scope])
      }
      #expect(error.code == .interactionRequired && error.details["kind"] == "consentRequired", "\(error)")
      #expect(error.details["correlationID"]?.stringValue?.isEmpty == false)
    }
  }

  @Test func `sees no account of another containing app`() async throws {
    try await Place.run { place in
      try await place.signIn("com.example.test")
      let url = place.url
      let stranger = Place.identity(Place.first, token: true, app: "org.example.other")
      let accounts = try await place.host().inWidget(as: stranger) { try await $0.accounts() }
      #expect(accounts.isEmpty)
      for account in [nil, "ada@example.com"] {
        let error = try await place.failure(as: stranger) {
          _ = try await $0.fetch("\(url)/api1/items", scopes: [Place.first], account: account)
        }
        #expect(error.code == .interactionRequired)
        let token = try await place.failure(as: stranger) {
          _ = try await $0.accessToken(scopes: [Place.first], account: account)
        }
        #expect(token.code == .interactionRequired)
      }
      let own = try await place.host().inWidget(as: Place.identity(Place.first)) { try await $0.accounts() }
      #expect(own.map { "\($0.username) \($0.signedIn)" } == ["ada@example.com true"])
    }
  }

  @Test(
    arguments: [
      (.granted, ["200", "200", "200"]), (.denied, Array(repeating: "permissionDenied denied", count: 3)),
      (.dismissed, Array(repeating: "permissionDenied undecided", count: 3)),
    ] as [(Consent.Answer, [String])])
  func `asks the user at its first use, once, with the app and the scopes`(
    answer: Consent.Answer, told: [String]
  ) async throws {
    try await Place.run { place in
      try await place.signIn()
      let questions = Mutex<[PermissionQuestion]>([])
      let authority = PermissionAuthority(
        state: place.state,
        consent: .ask { question in
          questions.withLock { $0.append(question) }
          return answer
        })
      let host = TestHost(services: [AuthService(identities: place.identities)], permissions: authority)
      let url = place.url
      let codes = try await host.inWidget(as: Place.identity(Place.first)) { context in
        @Sendable func call() async -> String {
          do throws(ExtensionError) {
            return "\(try await context.fetch("\(url)/api1/items", scopes: [Place.first]).status)"
          } catch {
            return "\(error.code.name) \(error.details["state"]?.stringValue ?? "-")"
          }
        }
        // Two at one time, and one later.
        async let first = call()
        async let second = call()
        return [await first, await second, await call()]
      }
      #expect(codes == told)
      let asked = questions.withLock { $0 }
      #expect(asked.map(\.permission.name) == ["auth"] && asked.first?.caller.containingApp == "com.example.test")
      #expect(asked.first?.scope.first?.contains(Place.first) == true)
    }
  }

  @Test func `needs the user's consent, live, and a keyboard open access too`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let authority = PermissionAuthority(state: place.state)
      let identity = Place.identity(Place.first)
      let host = TestHost(services: [AuthService(identities: place.identities)], permissions: authority)
      let url = place.url
      let codes = try await host.inWidget(as: identity) { context in
        var codes: [String] = []
        for state in [PermissionState.undecided, .granted, .denied] {
          try await authority.decide(identity.permissions[0], state, for: identity.id)
          do {
            codes.append("\(try await context.fetch("\(url)/api1/items", scopes: [Place.first]).status)")
          } catch let error as ExtensionError {
            codes.append("\(error.code.name) \(error.details["state"]?.stringValue ?? "-")")
          }
        }
        return codes
      }
      #expect(codes == ["permissionDenied undecided", "200", "permissionDenied denied"])
      try await authority.decide(identity.permissions[0], .undecided, for: identity.id)
      let keyboard = Place.identity(Place.first, point: .keyboard)
      let closed = try await place.failure(as: keyboard) {
        _ = try await $0.fetch("\(url)/api1/items", scopes: [Place.first])
      }
      #expect(closed.code == .permissionDenied && closed.details["permission"] == "open-access")
    }
  }
}
