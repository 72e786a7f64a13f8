import ConfigurationFiles
import JSON
import Testing

@testable import TokenBroker

/// A machine and what a server says to it.
struct MachineRun {
  var machine: AuthFlowMachine
  var last: NativeRequest?
  var effect: AuthFlowMachine.Effect

  init(_ start: FlowStart) throws {
    machine = AuthFlowMachine(
      start,
      configuration: try IdentityConfiguration(
        authority: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com", clientID: "client", kind: .native),
      correlationID: "ours")
    effect = machine.begin()
    note()
  }

  private mutating func note() {
    switch effect {
    case .send(let request), .wait(_, let request): last = request
    case .rest, .keep: last = nil
    }
  }

  var sent: String? { last?.endpoint.rawValue }
  func field(_ name: String) -> String? { last?.form[name]?.revealed() }

  mutating func answer(_ body: JSONObject, status: Int = 200) {
    effect = machine.receive(ServerReply(status: status, body: .object(body)))
    note()
  }

  mutating func refuse(_ error: String, _ code: Int? = nil, _ suberror: String? = nil, more: JSONObject = [:]) {
    answer(refusalBody(error, code, suberror, more: more).objectValue ?? [:], status: 400)
  }

  mutating func give(_ input: FlowInput) throws {
    effect = try machine.submit(input)
    note()
  }

  /// Until a code was sent.
  mutating func takeCode(_ token: String = "ct") {
    answer(["continuation_token": .string(token + "-1")])
    answer([
      "continuation_token": .string(token + "-2"), "challenge_type": "oob", "binding_method": "prompt",
      "challenge_channel": "email", "challenge_target_label": "a***n@example.com", "code_length": 8, "interval": 300,
    ])
  }

  var grant: TokenGrant? { if case .keep(let grant) = effect { grant } else { nil } }
}

let tokens: JSONObject = grantBody("at").objectValue ?? [:]
let scopes = try? ScopeList(["api://one/Read"])

@Suite(.timeLimit(.minutes(1)))
struct `A sign-in` {
  private func begin(_ password: String? = nil) throws -> MachineRun {
    try MachineRun(
      FlowStart(
        .signIn, username: "ann@example.com", password: password.map { Secret($0) }, scopes: scopes ?? .standard))
  }

  @Test func `with a password is three requests, each with the newest continuation token`() throws {
    var run = try begin("pa ss")
    #expect(run.sent == "/oauth2/v2.0/initiate")
    #expect(run.field("username") == "ann@example.com" && run.field("client_id") == "client")
    #expect(run.field("challenge_type") == "password oob redirect")
    #expect(run.field("capabilities") == "mfa_required registration_required")
    #expect(run.field("continuation_token") == nil)
    run.answer(["continuation_token": "ct-1"])
    #expect(run.sent == "/oauth2/v2.0/challenge" && run.field("continuation_token") == "ct-1")
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    #expect(run.sent == "/oauth2/v2.0/token" && run.field("continuation_token") == "ct-2")
    #expect(run.field("grant_type") == "password" && run.field("password") == "pa ss")
    #expect(run.field("scope") == "api://one/Read openid profile offline_access" && run.field("client_info") == "1")
    run.answer(tokens)
    #expect(run.grant?.accessToken == Secret("at"))
    run.machine.keptTokens(of: Account(id: "u1.t1", username: "ann", signedIn: true))
    #expect(run.machine.state == .completed(Account(id: "u1.t1", username: "ann", signedIn: true)))
    #expect(run.machine.password == nil && run.machine.token == nil)
  }

  @Test func `waits for a password that was not given, and for another one when it is wrong`() throws {
    var run = try begin()
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    #expect(run.machine.state == .passwordRequired && run.effect == .rest)
    try run.give(.password(Secret("wrong")))
    run.refuse("invalid_grant", 50126)
    #expect(run.machine.state == .passwordRequired)
    #expect(run.machine.problem?.kind == .invalidCredentials && run.machine.problem?.code == 50126)
    #expect(run.machine.problem?.correlationID == "11111111-2222-4333-8444-555555555555")
    try run.give(.password(Secret("right")))
    #expect(run.field("continuation_token") == "ct-2" && run.machine.problem == nil)
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `with a code says where it went, and takes another one`() throws {
    var run = try begin()
    run.takeCode()
    let sent = SentCode(sentTo: "a***n@example.com", channel: "email", length: 8, resendAfter: 300)
    #expect(run.machine.state == .codeRequired(sent))
    try run.give(.resend)
    #expect(run.sent == "/oauth2/v2.0/challenge" && run.field("continuation_token") == "ct-2")
    run.answer(["continuation_token": "ct-3", "challenge_type": "oob"])
    #expect(run.machine.state == .codeRequired(SentCode(sentTo: "", channel: "email", length: nil, resendAfter: nil)))
    try run.give(.code(Secret("12345678")))
    #expect(run.field("grant_type") == "oob" && run.field("oob") == "12345678")
    #expect(run.field("continuation_token") == "ct-3")
    run.refuse("invalid_grant", nil, "invalid_oob_value", more: ["continuation_token": "ct-4"])
    #expect(run.machine.problem?.kind == .invalidCode)
    try run.give(.code(Secret("87654321")))
    #expect(run.field("continuation_token") == "ct-4")
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `with a second factor lets the user choose the method`() throws {
    var run = try begin("password")
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    run.refuse("invalid_grant", 50076, "mfa_required", more: ["continuation_token": "ct-3"])
    #expect(run.sent == "/oauth2/v2.0/introspect" && run.field("continuation_token") == "ct-3")
    run.answer([
      "continuation_token": "ct-4",
      "methods": [
        ["id": "m1", "challenge_type": "oob", "challenge_channel": "email", "login_hint": "a***"],
        ["id": "m2", "challenge_type": "oob", "challenge_channel": "sms", "login_hint": "+4*"],
        ["id": "m3", "challenge_type": "unknown"], ["challenge_type": "oob"],
      ],
    ])
    let methods = [
      AuthMethod(id: "m1", channel: "email", hint: "a***"), AuthMethod(id: "m2", channel: "sms", hint: "+4*"),
    ]
    #expect(run.machine.state == .mfaMethodRequired(methods))
    #expect(throws: AuthError.self) { try run.give(.method(id: "m3")) }
    try run.give(.method(id: "m2"))
    #expect(
      run.sent == "/oauth2/v2.0/challenge" && run.field("id") == "m2" && run.field("continuation_token") == "ct-4")
    run.answer(["continuation_token": "ct-5", "challenge_type": "oob", "challenge_channel": "sms"])
    try run.give(.code(Secret("1234")))
    #expect(run.field("grant_type") == "mfa_oob" && run.field("oob") == "1234")
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `with one method for the second factor asks nobody which`() throws {
    var run = try begin("password")
    run.answer(["continuation_token": "ct-1"])
    run.refuse("invalid_request", 550021, "introspect_required", more: ["continuation_token": "ct-2"])
    run.answer(["continuation_token": "ct-3", "methods": [["id": "m1", "challenge_type": "oob"]]])
    #expect(run.sent == "/oauth2/v2.0/challenge" && run.field("id") == "m1")
  }

  @Test(arguments: [false, true]) func `registers a second factor`(isPreverified: Bool) throws {
    var run = try begin("password")
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    run.refuse("invalid_grant", 50072, "registration_required", more: ["continuation_token": "ct-3"])
    #expect(run.sent == "/register/v1.0/introspect")
    run.answer([
      "continuation_token": "ct-4",
      "methods": [
        ["id": "email", "challenge_type": "oob", "challenge_channel": "email", "login_hint": "ann@example.com"]
      ],
    ])
    try run.give(.register(id: "email", contact: nil))
    #expect(run.sent == "/register/v1.0/challenge" && run.field("challenge_target") == "ann@example.com")
    #expect(run.field("challenge_channel") == "email" && run.field("challenge_type") == "oob")
    if isPreverified {
      run.answer(["continuation_token": "ct-5", "challenge_type": "preverified"])
      #expect(run.sent == "/register/v1.0/continue" && run.field("grant_type") == "continuation_token")
    } else {
      run.answer(["continuation_token": "ct-5", "challenge_type": "oob", "challenge_target": "ann@example.com"])
      try run.give(.code(Secret("1234")))
      #expect(run.sent == "/register/v1.0/continue" && run.field("grant_type") == "oob" && run.field("oob") == "1234")
    }
    run.answer(["continuation_token": "ct-6"])
    #expect(run.sent == "/oauth2/v2.0/token" && run.field("grant_type") == "continuation_token")
    #expect(run.field("username") == "ann@example.com" && run.field("continuation_token") == "ct-6")
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `ends where only a browser can go on, at any step`() throws {
    var first = try begin()
    first.answer(["challenge_type": "redirect", "redirect_reason": "policy\u{1B}[31m"])
    var second = try begin()
    second.answer(["continuation_token": "ct-1"])
    second.answer(["challenge_type": "redirect"])
    for run in [first, second] {
      guard case .browserRequired(let error) = run.machine.state else {
        Issue.record("\(run.machine)")
        continue
      }
      #expect(error.kind == .browserRequired && error.correlationID == "ours")
      #expect(!error.message.unicodeScalars.contains("\u{1B}"))
    }
  }

  @Test(arguments: [(552003, "expired_token"), (55200, "invalid_request")])
  func `begins again when a continuation token is over, with the password that was given`(
    code: Int, error: String
  ) throws {
    var run = try begin()
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    try run.give(.password(Secret("password")))
    run.refuse(error, code)
    #expect(run.sent == "/oauth2/v2.0/initiate" && run.field("continuation_token") == nil)
    #expect(run.machine.problem?.kind == .flowExpired)
    run.answer(["continuation_token": "ct-8"])
    run.answer(["continuation_token": "ct-9", "challenge_type": "password"])
    #expect(run.field("password") == "password" && run.field("continuation_token") == "ct-9")
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `with a code that came too late sends another one, and gives up in the end`() throws {
    var run = try begin()
    for _ in 0..<2 {
      run.takeCode()
      try run.give(.code(Secret("1234")))
      run.refuse("expired_token", 552003)
      #expect(run.sent == "/oauth2/v2.0/initiate")
    }
    run.takeCode()
    #expect(run.machine.problem?.kind == .flowExpired)
    try run.give(.code(Secret("1234")))
    run.refuse("expired_token", 552003)
    guard case .failed(let error) = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    #expect(error.kind == .flowExpired && error.code == 552003)
  }

  @Test func `takes no step out of turn`() throws {
    var run = try begin()
    for input in [FlowInput.code(Secret("1")), .password(Secret("p")), .resend] {
      #expect(throws: AuthError.self) { try run.give(input) }
    }
    run.takeCode()
    for input in [
      FlowInput.password(Secret("p")), .newPassword(Secret("p")), .attributes([:]), .method(id: "m"),
      .register(id: "m", contact: nil), .code(Secret("")), .code(Secret(String(repeating: "1", count: 70_000))),
    ] {
      #expect(throws: AuthError.self) { try run.give(input) }
    }
    guard case .codeRequired = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    try run.give(.code(Secret("1")))
    let error = #expect(throws: AuthError.self) { try run.give(.code(Secret("1"))) }
    #expect(error?.kind == .wrongState)
  }

  @Test func `stays where it is while the server is down`() throws {
    var run = try begin()
    run.takeCode()
    try run.give(.code(Secret("1234")))
    run.effect = run.machine.receive(AuthError(.timedOut, "No answer."))
    #expect(run.machine.problem?.kind == .timedOut)
    try run.give(.code(Secret("1234")))
    #expect(run.field("continuation_token") == "ct-2")
  }

  @Test(arguments: ["", "a\u{0}b", String(repeating: "a", count: 2_000)]) func `needs a user name`(name: String) throws
  {
    let run = try MachineRun(FlowStart(.signIn, username: name))
    guard case .failed(let error) = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    #expect(error.kind == .invalidUsername)
  }

  @Test func `fails clearly on answers of any shape`() throws {
    let odd: [JSONObject] = [
      [:], ["continuation_token": 5], ["continuation_token": ""], ["continuation_token": "a\u{1}"],
      ["continuation_token": .string(String(repeating: "a", count: 1 << 18))],
    ]
    for body in odd {
      var run = try begin()
      run.answer(body)
      guard case .failed(let error) = run.machine.state else {
        Issue.record("\(body.count)")
        continue
      }
      #expect(error.kind == .invalidAnswer)
    }
    for type in [JSONValue.string("new"), .integer(1), .null] {
      var run = try begin()
      run.answer(["continuation_token": "ct"])
      run.answer(["continuation_token": "ct", "challenge_type": type])
      #expect(run.machine.problem?.kind == .invalidAnswer)
    }
  }
}
