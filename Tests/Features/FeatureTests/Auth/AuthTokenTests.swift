import JSONRPC
import AppExtensions
import ExtensionHosting
import HTTPServer
import HostServices
import IdentityServer
import JSON
import Synchronization
import Testing
import Text

@testable import ExtensionTesting

private typealias Place = SignedInHost

@Suite(.timeLimit(.minutes(1)))
struct `An access token for an extension` {
  @Test func `is given where the manifest asks for the token itself`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let tokens = try await place.host().inWidget(as: Place.identity(Place.first, token: true)) { context in
        [
          try await context.accessToken(scopes: [Place.first]), try await context.accessToken(scopes: [Place.first]),
          try await context.accessToken(scopes: [Place.first], forceRefresh: true),
        ]
      }
      #expect(tokens[0] == tokens[1] && tokens[0].accessToken != tokens[2].accessToken)
      #expect(tokens[0].scopes.contains(Place.first))
      #expect("\(tokens[0])".contains(tokens[0].accessToken.revealed) == false)
    }
  }

  @Test func `is not given for calls alone`() async throws {
    try await Place.run { place in
      // Nor is it asked for: whether somebody is signed in is not told.
      for isSignedIn in [false, true] {
        if isSignedIn { try await place.signIn() }
        let error = try await place.failure(as: Place.identity(Place.first)) {
          _ = try await $0.accessToken(scopes: [Place.first])
        }
        #expect(error.code == .permissionDenied && error.recovery?.contains("Token") == true)
      }
    }
  }

  @Test func `says no more than the manifest names, whatever the user signed in for`() async throws {
    try await Place.run { place in
      try await place.signIn(scopes: [Place.first, Place.write])
      let one = try await place.host().inWidget(as: Place.identity(Place.first, token: true)) {
        try await $0.accessToken(scopes: [Place.first])
      }
      #expect(one.scopes.contains(Place.first) && !one.scopes.contains(Place.write))
      let both = try await place.host().inWidget(as: Place.identity(Place.first, Place.write, token: true)) {
        // The narrower token is kept as well, and would do for the first scope alone.
        try await $0.accessToken(scopes: [Place.first, Place.write])
      }
      #expect(both.scopes.contains(Place.write))
    }
  }

  @Test func `says what an API demands, though one is kept that does not`() async throws {
    try await Place.run { place in
      try await place.signIn()
      try await place.host().inWidget(as: Place.identity(Place.first, token: true)) { context in
        func said(_ claims: String?) async throws -> JSONValue? {
          let token = try await context.accessToken(scopes: [Place.first], claims: claims)
          let parts = token.accessToken.revealed.split(separator: ".")
          return try JSONCoding.parse(try #require(Base64URL.decode(parts[1])))["acrs"]
        }
        for _ in 0..<2 {
          let plain = try await said(nil)
          #expect(plain == nil)
        }
        let more = try await said(#"{"access_token":{"acrs":{"value":"c1"}}}"#)
        #expect(more == ["c1"])
        let error = await #expect(throws: ExtensionError.self) { _ = try await said("[]") }
        #expect(error?.code == .invalidParams && error?.details["kind"] == "invalidRequest")
      }
    }
  }

  @Test func `is of the account that is named where there are several, and so is a call`() async throws {
    try await Place.run(kind: "openid", change: { $0.users[1].password = $0.users[0].password }) { place in
      let users = ["ada@example.com", "bob@example.com"]
      for user in users { try await place.signIn(as: user) }
      let url = place.url
      try await place.host().inWidget(as: Place.identity(Place.first, token: true)) { context in
        let accounts = try await context.accounts()
        #expect(accounts.map(\.username).sorted() == users)
        for account in accounts {
          for name in [account.id, account.username] {
            let token = try await context.accessToken(scopes: [Place.first], account: name)
            #expect(token.account == account.id)
            let answer = try await context.fetch("\(url)/api1/items", scopes: [Place.first], account: name)
            let user = try JSONCoding.parse(answer.body.text ?? "")["user"]
            #expect(user == .string(account.username))
          }
        }
        for isCall in [true, false] {
          let error = await #expect(throws: ExtensionError.self) {
            if isCall {
              _ = try await context.fetch("\(url)/api1/items", scopes: [Place.first])
            } else {
              _ = try await context.accessToken(scopes: [Place.first])
            }
          }
          #expect(error?.code == .interactionRequired && error?.details["names"] == .array(users.map { .string($0) }))
        }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A request to sign in` {
  @Test func `is answered at once where somebody is signed in`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let answer = try await place.host().inWidget(as: Place.identity(Place.first)) {
        try await $0.requestSignIn(reason: "To read items.", scopes: [Place.first])
      }
      #expect(answer.state == .signedIn && answer.account?.username == "ada@example.com")
    }
  }

  @Test func `is unavailable where the host cannot ask`() async throws {
    try await Place.run { place in
      let answer = try await place.host().inWidget(as: Place.identity(Place.first)) {
        try await $0.requestSignIn(reason: "To read items.")
      }
      #expect(answer.state == .unavailable && answer.account == nil)
    }
  }

  @Test func `has the host ask, once, and believes what is kept`() async throws {
    try await Place.run { place in
      let asked = Mutex<[String]>([])
      let answers = Mutex<[Auth.RequestSignIn.State]>([.unavailable, .signedIn])
      let host = place.host { question in
        asked.withLock { $0.append("\(question.app) \(question.reason.count)") }
        return answers.withLock { $0.isEmpty ? .cancelled : $0.removeFirst() }
      }
      let reason = String(repeating: "x", count: 300)
      let states = try await host.inWidget(as: Place.identity(Place.first)) { context in
        var states: [Auth.RequestSignIn.State] = []
        for _ in 0..<4 { states.append(try await context.requestSignIn(reason: reason).state) }
        return states
      }
      // The second one said that somebody had signed in, and nobody had.
      #expect(states == [.unavailable, .cancelled, .cancelled, .cancelled])
      #expect(asked.withLock { $0 } == Array(repeating: "com.example.test 200", count: 3))
    }
  }

  @Test func `ends with who signed in`() async throws {
    try await Place.run { place in
      let host = place.host { question in
        try await place.signIn(question.app)
        return .signedIn
      }
      let answer = try await host.inWidget(as: Place.identity(Place.first)) {
        try await $0.requestSignIn(reason: "To read items.", scopes: [Place.first])
      }
      #expect(answer.state == .signedIn && answer.account?.username == "ada@example.com")
    }
  }

  /// Ada and Bob have passwords, and the server refuses the next one who refreshes whenever `refuse` is called: it wants to
  /// ask the user, except where another error is given.
  private func withTwo(
    error: String = "interaction_required",
    _ body: (_ place: Place, _ refuse: @escaping @Sendable () -> Void) async throws -> Void
  ) async throws {
    try await Place.run(kind: "openid", change: { $0.users[1].password = $0.users[0].password }) { place in
      try await place.signIn()
      let server = place.server
      try await body(place) {
        let refusal = ServerResponse(
          status: 400, headers: [ServerField("Content-Type", "application/json")],
          body: Array(#"{"error":"\#(error)"}"#.utf8))
        server.faults.add(.response(refusal), at: "token", count: 1)
      }
    }
  }

  @Test func `is answered with the first of several accounts, or the one that can get the scopes`() async throws {
    try await withTwo { place, refuse in
      try await place.signIn(as: "bob@example.com", scopes: [Place.first, Place.write])
      let names = try await place.host().inWidget(as: Place.identity(Place.first, Place.write)) { context in
        let first = try await context.requestSignIn(reason: "To read items.")
        let known = try await context.requestSignIn(reason: "To read items.", scopes: [Place.first])
        refuse()
        let other = try await context.requestSignIn(reason: "To write items.", scopes: [Place.write])
        return [first, known, other].map { $0.account?.username }
      }
      #expect(names == ["ada@example.com", "ada@example.com", "bob@example.com"])
    }
  }

  @Test func `is answered with a later account where the server fails for the first`() async throws {
    try await withTwo(error: "invalid_request") { place, refuse in
      let host = place.host { _ in .signedIn }
      func request() async throws -> String? {
        try await host.inWidget(as: Place.identity(Place.first, Place.write)) {
          try await $0.requestSignIn(reason: "To write items.", scopes: [Place.write]).account?.username
        }
      }
      // Nobody else is there: the user is not asked about a failure of the server's.
      refuse()
      let error = await #expect(throws: ExtensionError.self) { try await request() }
      #expect(error?.code == .authFailed, "\(error as Any)")
      try await place.signIn(as: "bob@example.com", scopes: [Place.write])
      refuse()
      #expect(try await request() == "bob@example.com")
    }
  }

  @Test func `ends with who signed in now, and not with who was there before`() async throws {
    try await withTwo { place, refuse in
      let host = place.host { _ in
        try await place.signIn(as: "bob@example.com", scopes: [Place.write])
        refuse()
        return .signedIn
      }
      refuse()
      let answer = try await host.inWidget(as: Place.identity(Place.first, Place.write)) {
        try await $0.requestSignIn(reason: "To write items.", scopes: [Place.write])
      }
      #expect(answer.state == .signedIn && answer.account?.username == "bob@example.com")
    }
  }

  @Test func `is about scopes that the manifest names`() async throws {
    try await Place.run { place in
      let error = try await place.failure(as: Place.identity(Place.first)) {
        _ = try await $0.requestSignIn(reason: "To write.", scopes: [Place.write])
      }
      #expect(error.code == .permissionDenied)
    }
  }
}
