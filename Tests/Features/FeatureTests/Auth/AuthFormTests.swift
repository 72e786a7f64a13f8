import AppExtensions
import HTTPServer
import HostServices
import IdentityServer
import IdentityServices
import JSON
import JSONRPC
import Synchronization
import Testing
import TokenBroker

@testable import ExtensionTesting

private typealias Place = SignedInHost

/// The steps of an app's form at their exact bounds, and the second time round.
@Suite(.timeLimit(.minutes(1)))
struct `A form of an app at its bounds` {
  private static let app = Caller.Identity.testing(id: "com.example.test", point: .containingApp)

  /// A host whose identity server speaks OpenID Connect, and is asked nothing before there is a password.
  private func inApp<Value: Sendable>(
    _ authority: String = "http://127.0.0.1:1", kind: String = "openid",
    _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> Value {
    let folder = try TestFolder()
    defer { folder.remove() }
    let settings = IdentityBook.Settings(authority: authority, clientID: "c", kind: kind)
    let service = AuthService(identities: IdentityBook(state: folder.state, settings: settings))
    return try await TestHost(services: [service], consent: .grant).inWidget(as: Self.app, body)
  }

  private static func refusal(_ body: () async throws -> Void) async -> ExtensionError? {
    do {
      try await body()
      return nil
    } catch {
      return ExtensionError(wrapping: error)
    }
  }

  @Test func `has a user name and secrets of 1 to 1,024 bytes`() async throws {
    try await inApp { context in
      let most = String(repeating: "é", count: 512)
      for (text, isTaken) in [("", false), ("a", true), (most, true), (most + "a", false)] {
        let name = await Self.refusal { _ = try await context.call(Auth.Begin(flow: .signIn, username: text)) }
        #expect(name?.code == (isTaken ? nil : .invalidParams), "\(text.utf8.count)")
        let secret = SecretText(text)
        let password = await Self.refusal {
          _ = try await context.call(Auth.Begin(flow: .signIn, username: "a", password: secret))
        }
        // Nobody is there to check it.
        #expect(password?.code == (isTaken ? .authFailed : .invalidParams))
        let flow = try await context.call(Auth.Begin(flow: .signIn, username: "a")).flowID
        for (input, kind) in [
          (Auth.Continue(flowID: flow, password: secret), "unreachable"),
          (Auth.Continue(flowID: flow, oneTimeCode: secret), "wrongState"),
          (Auth.Continue(flowID: flow, newPassword: secret), "wrongState"),
          (Auth.Continue(flowID: flow, methodID: text), "wrongState"),
          (Auth.Continue(flowID: flow, methodID: "m", contact: text), "wrongState"),
        ] {
          let error = await Self.refusal { _ = try await context.call(input) }
          // A contact may be empty, which is for the flow to say.
          let isRead = isTaken || (input.contact == "" && text == "")
          #expect(error?.details["kind"]?.stringValue == (isRead ? kind : nil))
          #expect(error?.code == (isRead && kind == "unreachable" ? .authFailed : .invalidParams))
        }
        _ = try await context.call(Auth.Cancel(flowID: flow))
      }
    }
  }

  @Test func `is given one value at a time, that its state asks for`() async throws {
    try await inApp { context in
      let flow = try await context.call(Auth.Begin(flow: .signIn, username: "a")).flowID
      for (input, count) in [
        (Auth.Continue(flowID: flow), 0), (Auth.Continue(flowID: flow, contact: "c"), 0),
        (Auth.Continue(flowID: flow, oneTimeCode: "1", newPassword: "2"), 2),
        (Auth.Continue(flowID: flow, password: "1", attributes: [:]), 2),
        (Auth.Continue(flowID: flow, oneTimeCode: "1", password: "1", newPassword: "2", methodID: "m"), 4),
      ] {
        let error = await Self.refusal { _ = try await context.call(input) }
        #expect(error?.code == .invalidParams && error?.message.hasSuffix("and not \(count).") == true)
      }
      let resend = await Self.refusal { _ = try await context.call(Auth.Resend(flowID: flow)) }
      #expect(resend?.details["kind"] == "wrongState")
    }
  }

  @Test func `is one of eight that are open, and a failed beginning is none`() async throws {
    try await inApp { context in
      for _ in 0..<10 {
        let error = await Self.refusal {
          _ = try await context.call(Auth.Begin(flow: .signIn, username: "a", password: "p"))
        }
        #expect(error?.code == .authFailed && error?.details["kind"] == "unreachable")
      }
      var flows: [String] = []
      for _ in 0..<8 { flows.append(try await context.call(Auth.Begin(flow: .signIn, username: "a")).flowID) }
      for flow in flows.prefix(2) {
        let full = await Self.refusal { _ = try await context.call(Auth.Begin(flow: .signIn, username: "a")) }
        #expect(full?.code == .limitExceeded)
        for _ in 0..<2 { #expect(try await context.call(Auth.Cancel(flowID: flow)).state == Auth.State(.cancelled)) }
        _ = try await context.call(Auth.Begin(flow: .signIn, username: "a"))
      }
    }
    // The same for a flow that goes step by step.
    try await inApp(kind: "native") { context in
      for _ in 0..<10 {
        let error = await Self.refusal { _ = try await context.call(Auth.Begin(flow: .signIn, username: "a")) }
        #expect(error?.code == .authFailed && error?.details["kind"] == "unreachable")
      }
    }
    // A server of OpenID Connect signs nobody up.
    let other = try await inApp { context in
      await Self.refusal { _ = try await context.call(Auth.Begin(flow: .signUp, username: "a")) }
    }
    #expect(other?.details["kind"] == "notSupported")
  }

  @Test(arguments: ["native", "openid"])
  func `asks for the password again until it is right, and is over then`(kind: String) async throws {
    try await Place.run(kind: kind) { place in
      try await place.host().inWidget(as: Self.app) { context in
        let begun = try await context.call(Auth.Begin(flow: .signIn, username: "ada@example.com", password: "wrong"))
        #expect(begun.state.name == .passwordRequired && begun.state.problem?.kind == "invalidCredentials")
        for _ in 0..<2 {
          let again = try await context.call(Auth.Continue(flowID: begun.flowID, password: "wrong")).state
          #expect(again.name == .passwordRequired && again.problem?.kind == "invalidCredentials")
        }
        let right = Auth.Continue(flowID: begun.flowID, password: SecretText(Place.password))
        let done = try await context.call(right).state
        #expect(done.name == .completed && done.account?.username == "ada@example.com" && done.problem == nil)
        let over = await Self.refusal { _ = try await context.call(right) }
        #expect(over?.code == .requestUnknown)
      }
    }
  }

  // MARK: The steps of a server

  /// Users who need a second factor: one has two contacts, and the others have none yet.
  private static func addFactors(_ configuration: inout IdentityServer.Configuration) {
    let password = configuration.users.first?.password
    configuration.users += ["eve", "kim", "lee"].map { name in
      var user = IdentityUser(username: "\(name)@example.com", password: password)
      user.needsSecondFactor = true
      return user
    }
    guard let eve = configuration.users.firstIndex(where: { $0.username == "eve@example.com" }) else { return }
    configuration.users[eve].methods = [
      IdentityUser.Method(id: "email-1", channel: "email", target: "eve@example.com"),
      IdentityUser.Method(id: "sms-1", channel: "sms", target: "+4915112345"),
    ]
  }

  /// Begins the sign-in of a user with the password.
  private static func begin(_ name: String, _ context: ExtensionContext) async throws -> Auth.Begin.Result {
    try await context.call(
      Auth.Begin(flow: .signIn, username: "\(name)@example.com", password: SecretText(Place.password)))
  }

  @Test func `lets the user choose one of several second factors`() async throws {
    try await Place.run(change: Self.addFactors) { place in
      let server = place.server
      try await place.host().inWidget(as: Self.app) { context in
        let begun = try await Self.begin("eve", context)
        #expect(begun.state.name == .methodRequired)
        #expect(
          begun.state.methods == [
            Auth.Method(id: "email-1", channel: "email", hint: "e***e@example.com"),
            Auth.Method(id: "sms-1", channel: "sms", hint: "***45"),
          ])
        // It has them already.
        let register = Auth.Continue(flowID: begun.flowID, methodID: "sms-1", contact: "+491701234567")
        let error = await Self.refusal { _ = try await context.call(register) }
        #expect(error?.details["kind"] == "wrongState")
        let sent = try await context.call(Auth.Continue(flowID: begun.flowID, methodID: "sms-1")).state
        #expect(sent.name == .codeRequired && sent.code?.length == 8 && sent.methods == nil)
        let wrong = try await context.call(Auth.Continue(flowID: begun.flowID, oneTimeCode: "00000000")).state
        #expect(wrong.name == .codeRequired && wrong.problem?.kind == "invalidCode")
        let code = SecretText(try #require(server.outbox.code(for: "+4915112345")))
        let done = try await context.call(Auth.Continue(flowID: begun.flowID, oneTimeCode: code)).state
        #expect(done.name == .completed && done.account?.username == "eve@example.com")
      }
    }
  }

  @Test(arguments: [("kim", "email", nil, "kim@example.com"), ("lee", "sms", "+491701234567", "+491701234567")])
  func `has a second factor registered, at the contact that is known or at another`(
    name: String, method: String, contact: String?, recipient: String
  ) async throws {
    try await Place.run(change: Self.addFactors) { place in
      let server = place.server
      try await place.host().inWidget(as: Self.app) { context in
        let begun = try await Self.begin(name, context)
        #expect(begun.state.name == .registrationRequired)
        #expect(begun.state.methods?.map(\.id) == ["email", "sms"])
        #expect(begun.state.methods?.map(\.hint) == ["\(name)@example.com", nil])
        let chosen = Auth.Continue(flowID: begun.flowID, methodID: method, contact: contact)
        #expect(try await context.call(chosen).state.name == .codeRequired)
        let code = SecretText(try #require(server.outbox.code(for: recipient)))
        let done = try await context.call(Auth.Continue(flowID: begun.flowID, oneTimeCode: code)).state
        #expect(done.name == .completed && done.account?.username == "\(name)@example.com")
        let over = await Self.refusal { _ = try await context.call(chosen) }
        #expect(over?.code == .requestUnknown)
      }
    }
  }

  @Test func `signs somebody up with a password and attributes, and takes neither when it is wrong`() async throws {
    try await Place.run {
      $0.attributes = [AttributeRule("city", pattern: "^[a-z]+$")]
    } _: { place in
      let server = place.server
      try await place.host().inWidget(as: Self.app) { context in
        let flow = try await context.call(Auth.Begin(flow: .signUp, username: "new@example.com")).flowID
        let code = SecretText(try #require(server.outbox.code(for: "new@example.com")))
        let password = try await context.call(Auth.Continue(flowID: flow, oneTimeCode: code)).state
        #expect(password.name == .passwordRequired)
        let weak = try await context.call(Auth.Continue(flowID: flow, password: "a")).state
        #expect(weak.name == .passwordRequired && weak.problem?.kind == "weakPassword")
        let asked = try await context.call(Auth.Continue(flowID: flow, password: "Quite-Long-Enough-9")).state
        #expect(asked.name == .attributesRequired && asked.problem == nil)
        #expect(
          asked.attributes == [Auth.Attribute(name: "city", type: "string", isRequired: true, pattern: "^[a-z]+$")])
        let wrong = try await context.call(Auth.Continue(flowID: flow, attributes: ["city": "42"])).state
        #expect(wrong.name == .attributesRequired && wrong.problem?.kind == "invalidAttributes")
        let done = try await context.call(Auth.Continue(flowID: flow, attributes: ["city": "bern"])).state
        #expect(done.name == .completed && done.account?.username == "new@example.com")
      }
    }
  }

  @Test func `resets a password, and asks for another when it is too weak`() async throws {
    try await Place.run { place in
      let server = place.server
      try await place.host().inWidget(as: Self.app) { context in
        let flow = try await context.call(Auth.Begin(flow: .resetPassword, username: "ada@example.com")).flowID
        let code = SecretText(try #require(server.outbox.code(for: "ada@example.com")))
        let asked = try await context.call(Auth.Continue(flowID: flow, oneTimeCode: code)).state
        #expect(asked == Auth.State(.newPasswordRequired))
        let weak = try await context.call(Auth.Continue(flowID: flow, newPassword: "a")).state
        #expect(weak.name == .newPasswordRequired && weak.problem?.kind == "weakPassword")
        let done = try await context.call(Auth.Continue(flowID: flow, newPassword: "Another-Horse-8")).state
        #expect(done.name == .completed && done.account?.username == "ada@example.com")
      }
    }
  }

  // MARK: Requests of extensions

  @Test func `is asked for by an extension with a user name of at most 1,024 bytes`() async throws {
    try await Place.run { place in
      try await place.host().inWidget(as: Place.identity(Place.first)) { context in
        let most = String(repeating: "é", count: 512)
        let state = try await context.call(Auth.RequestSignIn(reason: "", scopes: [], loginHint: most)).state
        #expect(state == .unavailable)
        let error = await Self.refusal {
          _ = try await context.call(Auth.RequestSignIn(reason: "", loginHint: most + "a"))
        }
        #expect(error?.code == .invalidParams)
      }
    }
  }

  @Test func `is shown to the user whom the extension expects, when that is not who is signed in`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let asked = Mutex<[String?]>([])
      let host = place.host { question in
        asked.withLock { $0.append(question.loginHint) }
        return question.loginHint == nil ? .cancelled : .unavailable
      }
      try await host.inWidget(as: Place.identity(Place.first)) { context in
        for (hint, state) in [
          (nil, .signedIn), ("ADA@example.com", .signedIn), ("bob@example.com", .unavailable), ("ad", .unavailable),
        ] as [(String?, Auth.RequestSignIn.State)] {
          let answer = try await context.call(Auth.RequestSignIn(reason: "r", loginHint: hint))
          #expect(answer.state == state && (answer.account != nil) == (state == .signedIn))
        }
      }
      #expect(asked.withLock { $0 } == ["bob@example.com", "ad"])
    }
  }

  @Test func `is asked for again after a question that failed, and not after one that was declined`() async throws {
    try await Place.run { place in
      let asked = Mutex<[[String]]>([])
      let host = place.host { question in
        let count = asked.withLock {
          $0.append(question.scopes)
          return $0.count
        }
        if count < 3 { throw ExtensionError(.serviceUnavailable, "No screen.") }
        return .cancelled
      }
      let codes = try await host.inWidget(as: Place.identity(Place.first, Place.write)) { context in
        var codes: [ExtensionError.Code?] = []
        for _ in 0..<4 {
          codes.append(
            await Self.refusal {
              _ = try await context.requestSignIn(reason: "r", scopes: [Place.write, Place.first])
            }?.code)
        }
        return codes
      }
      #expect(codes == [.serviceUnavailable, .serviceUnavailable, nil, nil])
      #expect(asked.withLock { $0 } == Array(repeating: [Place.write, Place.first], count: 3))
    }
  }

  @Test func `is needed where a token needs the user's word, and not where the server fails`() async throws {
    try await Place.run { place in
      try await place.signIn()
      let admin = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Admin"
      var identity = Place.identity(Place.first, admin)
      identity.permissions[0].scope.append("\(Place.second) → 127.0.0.1:*")
      let server = place.server
      try await place.host().inWidget(as: identity) { context in
        let known = try await context.call(Auth.RequestSignIn(reason: "r", scopes: [Place.first]))
        #expect(known.state == .signedIn && known.account?.username == "ada@example.com")
        let unknown = try await context.call(Auth.RequestSignIn(reason: "r", scopes: [admin]))
        #expect(unknown.state == .unavailable && unknown.account == nil)
        let down = ServerResponse(status: 503, headers: [ServerField("Content-Type", "application/json")])
        server.faults.add(.response(down), at: "token", count: 9)
        let error = await Self.refusal {
          _ = try await context.call(Auth.RequestSignIn(reason: "r", scopes: [Place.second]))
        }
        #expect(error?.code == .authFailed && error?.details["kind"] == "serverUnavailable")
      }
    }
  }
}
