import JSONRPC
import ExtensionHosting
import HostServices
import IdentityServices
import IdentityServer
import JSON
import Testing

@testable import AppExtensions
@testable import ExtensionTesting

private typealias Place = SignedInHost

@Suite(.timeLimit(.minutes(1)))
struct `The sign-in form of a containing app` {
  private let app = Caller.Identity.testing(id: "com.example.test", point: .containingApp)

  @Test func `goes from a wrong code to an account, and out again`() async throws {
    try await Place.run { place in
      let server = place.server
      let names = try await place.host().inWidget(as: app) { context in
        guard case .codeRequired(let first) = try await context.beginSignIn("bob@example.com") else { return ["code"] }
        guard case .codeRequired(let second) = try await first.submit(code: "00000000") else { return ["again"] }
        let code = server.outbox.code(for: "bob@example.com") ?? ""
        guard case .completed(let account?) = try await second.submit(code: SecretText(code)) else { return ["end"] }
        let before = try await context.accounts()
        try await context.signOut(account)
        let after = try await context.accounts()
        return [second.problem?.kind ?? "-", account.username] + before.map(\.username) + ["\(after.count)"]
      }
      #expect(names == ["invalidCode", "bob@example.com", "bob@example.com", "0"])
    }
  }

  @Test(arguments: ["native", "openid"])
  func `takes a password when it is asked for`(kind: String) async throws {
    try await Place.run(kind: kind) { place in
      let account = try await place.host().inWidget(as: app) { context -> Auth.Account? in
        guard case .passwordRequired(let state) = try await context.beginSignIn("ada@example.com"),
          case .completed(let account) = try await state.submit(password: SecretText(Place.password))
        else { return nil }
        return account
      }
      #expect(account?.username == "ada@example.com" && account?.signedIn == true)
    }
  }

  @Test func `asks again for a password that was wrong, and says so`() async throws {
    try await Place.run { place in
      let problem = try await place.host().inWidget(as: app) { context -> Auth.Problem? in
        guard case .passwordRequired(let state) = try await context.beginSignIn("ada@example.com", password: "wrong")
        else { return nil }
        return state.problem
      }
      #expect(
        problem?.kind == "invalidCredentials" && problem?.message.isEmpty == false, "\(String(describing: problem))")
    }
  }

  @Test func `tells what ends it, with what finds it in the server's log`() async throws {
    try await Place.run { place in
      let error = try await place.failure(as: app) {
        _ = try await $0.beginSignIn("nobody@example.com", password: "wrong")
      }
      #expect(error.code == .authFailed && error.details["kind"]?.stringValue == "userNotFound", "\(error)")
      #expect(error.details["correlationID"]?.stringValue?.isEmpty == false && error.recovery != nil)
      #expect(!"\(error)".contains("wrong\""))
    }
  }

  @Test func `ends with its cancellation, and is no other process's`() async throws {
    try await Place.run { place in
      let host = place.host()
      let flow = try await host.inWidget(as: app) { context in
        let begun = try await context.call(Auth.Begin(flow: .signIn, username: "bob@example.com"))
        let wrong = await #expect(throws: ExtensionError.self) {
          try await context.call(Auth.Continue(flowID: begun.flowID, password: "x"))
        }
        #expect(wrong?.code == .invalidParams)
        let both = await #expect(throws: ExtensionError.self) {
          try await context.call(Auth.Continue(flowID: begun.flowID, oneTimeCode: "1", password: "x"))
        }
        #expect(both?.code == .invalidParams)
        let other = await #expect(throws: ExtensionError.self) {
          try await host.inWidget(as: app) { try await $0.call(Auth.Continue(flowID: begun.flowID, oneTimeCode: "1")) }
        }
        #expect(other?.code == .requestUnknown)
        return begun.flowID
      }
      let error = try await place.failure(as: app) { context in
        _ = try await context.call(Auth.Continue(flowID: flow, oneTimeCode: "1"))
      }
      #expect(error.code == .requestUnknown)
      let over = try await place.failure(as: app) { context in
        guard case .codeRequired(let state) = try await context.beginSignIn("bob@example.com") else { return }
        try await state.cancel()
        _ = try await state.submit(code: "12345678")
      }
      #expect(over.code == .requestUnknown)
    }
  }

  @Test func `signs out the account that it names, and no other`() async throws {
    try await Place.run(kind: "openid", change: { $0.users[1].password = $0.users[0].password }) { place in
      for user in ["ada@example.com", "bob@example.com"] { try await place.signIn(as: user) }
      try await place.host().inWidget(as: app) { context in
        let bob = try #require(try await context.accounts().first { $0.username == "bob@example.com" })
        try await context.signOut(bob)
        let left = try await context.accounts().map(\.username)
        #expect(left == ["ada@example.com"])
        let error = await #expect(throws: ExtensionError.self) { try await context.signOut(bob) }
        #expect(error?.code == .interactionRequired && error?.details["kind"] == "noAccount")
      }
    }
  }

  /// What a step offers, as far as it has any of it.
  private static func parts(_ step: SignInStep) -> (state: (any SignInState)?, offers: Int) {
    switch step {
    case .codeRequired(let state): (state, 0)
    case .passwordRequired(let state): (state, 0)
    case .attributesRequired(let state): (state, state.attributes.count)
    case .methodRequired(let state): (state, state.methods.count)
    case .registrationRequired(let state): (state, state.methods.count)
    case .newPasswordRequired(let state): (state, 0)
    case .completed: (nil, 0)
    }
  }

  @Test func `has of each state what the host tells, and none of a code without where it was sent`() async throws {
    try await TestHost().inWidget(as: app) { context in
      let flow = SignInFlow(id: "f", context: context)
      let problem = Auth.Problem(kind: "k", message: "m", recovery: "r")
      let attribute = Auth.Attribute(name: "a", type: "string", isRequired: true)
      let code = Auth.SentCode(sentTo: "a***b", channel: "sms")
      for name in Auth.State.Name.allCases where name != .completed && name != .cancelled {
        let full = Auth.State(
          name, code: code, attributes: [attribute], methods: [Auth.Method(id: "m", channel: "sms")], problem: problem)
        let offers = [.attributesRequired, .methodRequired, .registrationRequired].contains(name) ? 1 : 0
        let told = Self.parts(try SignInStep(full, flow))
        #expect(told.state?.problem == problem && told.offers == offers, "\(name)")
        guard name != .codeRequired else { continue }
        let bare = Self.parts(try SignInStep(Auth.State(name), flow))
        #expect(bare.state != nil && bare.state?.problem == nil && bare.offers == 0, "\(name)")
      }
      for (name, code) in [
        (.codeRequired, .protocolViolation), (.cancelled, .cancelled),
      ] as [(Auth.State.Name, ExtensionError.Code)] {
        let error = #expect(throws: ExtensionError.self) { try SignInStep(Auth.State(name), flow) }
        #expect(error?.code == code)
      }
      guard case .completed(nil) = try SignInStep(Auth.State(.completed), flow) else {
        Issue.record("It has an account.")
        return
      }
    }
  }

  @Test(arguments: [
    Auth.Begin.method, Auth.Continue.method, Auth.Resend.method, Auth.Cancel.method, Auth.SignOut.method,
  ])
  func `is no extension's`(method: String) async throws {
    try await Place.run { place in
      let kept = Kept<ExtensionError?>()
      let stage = Stage(services: [AuthService(identities: place.identities)], permissions: place.permissions)
      let peer = PeerProbe(work: {
        kept.keep(await $0.refusal(method, ["flowID": "f", "flow": "signIn", "username": "a", "account": "a"]))
      })
      try await stage.withPeer(peer, identity: Place.identity(Place.first)) {
        _ = try await $0.call(Ping(), deadline: .seconds(50))
      }
      #expect(kept.value??.code == .pointDisallows)
    }
  }
}
