import ConfigurationFiles
import JSON
import Synchronization
import Testing

@testable import TokenBroker

/// The steps of native authentication at their exact bounds, the second time round, and with members that are absent.
@Suite(.timeLimit(.minutes(1)))
struct `A flow at its bounds` {
  private func begin(_ kind: FlowKind = .signIn, _ username: String = "ann", _ password: String? = nil) throws
    -> MachineRun
  {
    try MachineRun(FlowStart(kind, username: username, password: password.map { Secret($0) }))
  }

  private func failure(_ run: MachineRun) -> AuthError? {
    if case .failed(let error) = run.machine.state { error } else { nil }
  }

  /// Until a reset waits for the new password.
  private func untilNewPassword() throws -> MachineRun {
    var run = try begin(.resetPassword)
    run.takeCode()
    try run.give(.code(Secret("1")))
    run.answer(["continuation_token": "ct-3"])
    #expect(run.machine.state == .newPasswordRequired)
    return run
  }

  @Test func `has a user name of 1 to 1,024 bytes without control characters`() throws {
    for name in ["a", String(repeating: "é", count: 512), "a b", " ", "~"] {
      #expect(try begin(.signIn, name).sent == "/oauth2/v2.0/initiate")
    }
    for name in ["", String(repeating: "é", count: 512) + "a", "a\u{1F}", "a\u{7F}"] {
      let run = try begin(.signIn, name)
      #expect(failure(run)?.kind == .invalidUsername && run.sent == nil)
    }
  }

  @Test func `takes an input of 1 to 65,536 bytes`() throws {
    let most = String(repeating: "é", count: 32_768)
    for (text, isTaken) in [("", false), ("1", true), (most, true), (most + "1", false)] {
      var run = try begin()
      run.takeCode()
      guard isTaken else {
        let error = #expect(throws: AuthError.self) { try run.give(.code(Secret(text))) }
        #expect(error?.kind == .invalidRequest)
        continue
      }
      try run.give(.code(Secret(text)))
      #expect(run.field("oob") == text)
    }
  }

  @Test func `begins once, and hears no answer that it did not ask for`() throws {
    var run = try begin()
    #expect(run.machine.begin() == .rest && run.machine.request?.endpoint == .initiate)
    run.takeCode()
    let state = run.machine.state
    #expect(run.machine.begin() == .rest && run.machine.request == nil)
    run.answer(["continuation_token": "late", "challenge_type": "password"])
    #expect(run.effect == .rest && run.machine.state == state && run.machine.token == Secret("ct-2"))
  }

  /// How many times a server may say that it is not ready.
  private func polls(interval: Int, _ run: inout MachineRun) throws -> Int {
    try run.give(.newPassword(Secret("new")))
    run.answer(["continuation_token": "ct-4", "poll_interval": .integer(Int64(interval))])
    var count = 0
    while case .wait(let seconds, _) = run.effect {
      #expect(seconds == interval)
      count += 1
      run.answer(["status": "in_progress"])
    }
    return count
  }

  @Test(arguments: [(60, 5), (50, 6), (61, 5), (3, 100), (2, 120), (1, 120)])
  func `waits for a new password for five minutes, and asks 120 times`(interval: Int, count: Int) throws {
    var run = try untilNewPassword()
    #expect(try polls(interval: min(interval, 60), &run) == count)
    #expect(failure(run)?.kind == .timedOut)
    var other = try untilNewPassword()
    try other.give(.newPassword(Secret("new")))
    other.answer(["continuation_token": "ct-4", "poll_interval": .integer(Int64(interval))])
    #expect(other.machine.state == .polling(seconds: min(interval, 60)))
  }

  @Test(arguments: [60, 1]) func `waits as long for a second new password as for the first`(interval: Int) throws {
    var run = try untilNewPassword()
    let most = interval == 60 ? 5 : 120
    for _ in 0..<2 {
      try run.give(.newPassword(Secret("new")))
      run.answer(["continuation_token": "ct-4", "poll_interval": .integer(Int64(interval))])
      for _ in 1..<most { run.answer(["status": "in_progress"]) }
      guard case .wait = run.effect else {
        Issue.record("\(run.machine)")
        return
      }
      run.refuse("invalid_grant", nil, "password_banned")
      #expect(run.machine.state == .newPasswordRequired && run.machine.problem?.kind == .weakPassword)
    }
  }

  @Test func `is asked again after two seconds where no interval is named, and later at the last one`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("new")))
    run.answer(["continuation_token": "ct-4"])
    #expect(run.machine.state == .polling(seconds: 2))
    for (interval, seconds) in [(7, 7), (nil, 7), (0, 1), (nil, 1)] as [(Int64?, Int)] {
      var body: JSONObject = ["status": "not_started"]
      body["poll_interval"] = interval.map { .integer($0) }
      run.answer(body)
      #expect(run.machine.state == .polling(seconds: seconds))
    }
  }

  @Test func `ends a reset with what its server says last`() throws {
    for (body, state, kind) in [
      (["status": "succeeded"], .completed(nil), nil), (["status": "failed"], nil, .serverUnavailable),
      (["status": "odd"], .newPasswordRequired, .invalidAnswer), ([:], .newPasswordRequired, .invalidAnswer),
    ] as [(JSONObject, FlowState?, AuthError.Kind?)] {
      var run = try untilNewPassword()
      try run.give(.newPassword(Secret("new")))
      run.answer(["continuation_token": "ct-4"])
      run.answer(body)
      #expect(run.effect == .rest && run.machine.problem?.kind == kind)
      if let state { #expect(run.machine.state == state) } else { #expect(failure(run)?.kind == kind) }
    }
  }

  @Test func `that may register a second factor after a reset goes on with it when that fails`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("new")))
    run.answer(["continuation_token": "ct-4"])
    run.answer(["status": "succeeded", "continuation_token": "ct-5"])
    run.refuse("invalid_grant", 50072, "registration_required", more: ["continuation_token": "ct-6"])
    run.answer(["continuation_token": "ct-7", "methods": [["id": "m", "login_hint": "ann@example.com"]]])
    try run.give(.register(id: "m", contact: nil))
    run.effect = run.machine.receive(AuthError(.timedOut, "No answer."))
    guard case .registrationRequired = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    #expect(run.machine.problem?.kind == .timedOut)
  }

  @Test func `takes no detour without a token for it`() throws {
    for suberror in ["mfa_required", "registration_required", "introspect_required"] {
      var run = try begin(.signIn, "ann", "password")
      run.answer(["continuation_token": "ct-1"])
      run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
      run.refuse("invalid_grant", 50076, suberror)
      #expect(run.sent == nil)
      guard case .browserRequired(let error) = run.machine.state else {
        Issue.record("\(run.machine)")
        continue
      }
      #expect(error.code == 50076)
    }
  }

  @Test func `keeps no secret when it is over, however it ends`() throws {
    var run = try begin(.signIn, "ann", "password")
    run.answer(["continuation_token": "ct-1"])
    run.refuse("user_not_found", 50034, more: ["continuation_token": "ct-2"])
    #expect(failure(run)?.kind == .userNotFound)
    #expect(run.machine.password == nil && run.machine.token == nil && run.machine.request == nil)
    var code = try begin()
    code.takeCode()
    code.machine.couldNotKeepTokens(AuthError(.cacheUnusable, "No place."))
    #expect(failure(code)?.kind == .cacheUnusable && failure(code)?.correlationID == "ours")
    #expect(code.machine.challenge == nil && code.machine.token == nil)
  }

  @Test(arguments: AuthError.Kind.allCases)
  func `goes on after what can be tried again, and ends with the rest`(kind: AuthError.Kind) throws {
    let goesOn: Set<AuthError.Kind> = [
      .invalidCode, .deadCode, .invalidCredentials, .weakPassword, .invalidAttributes, .invalidContact,
      .invalidRequest, .unreachable, .timedOut, .rateLimited, .serverUnavailable, .invalidAnswer, .tooLarge, .cancelled,
    ]
    var run = try begin()
    run.takeCode()
    let state = run.machine.state
    try run.give(.code(Secret("1")))
    let error = AuthError(kind, "What happened.", correlationID: "theirs")
    run.effect = run.machine.receive(error)
    #expect(run.effect == .rest && run.machine.problem == error)
    if goesOn.contains(kind) {
      #expect(run.machine.state == state && run.machine.token == Secret("ct-2"))
    } else if kind == .browserRequired {
      #expect(run.machine.state == .browserRequired(error))
    } else {
      #expect(run.machine.state == .failed(error))
    }
  }

  // MARK: Methods

  private func choice(_ methods: JSONValue) throws -> MachineRun {
    var run = try begin(.signIn, "ann", "password")
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    run.refuse("invalid_grant", 50072, "registration_required", more: ["continuation_token": "ct-3"])
    run.answer(["continuation_token": "ct-4", "methods": methods])
    return run
  }

  @Test func `offers at most 32 methods, with identifiers of 1 to 1,024 bytes`() throws {
    let longest = String(repeating: "é", count: 512)
    let some = try choice([
      ["id": .string(longest)], ["id": .string(longest + "m")], ["id": ""], ["id": 5], [:],
      ["id": "a", "challenge_type": .null], ["id": "b", "challenge_type": "fido"],
    ])
    #expect(
      some.machine.state
        == .registrationRequired([
          AuthMethod(id: longest, channel: "email", hint: nil), AuthMethod(id: "a", channel: "email", hint: nil),
        ]))
    let many = try choice(.array((0..<33).map { ["id": .string("m\($0)")] }))
    guard case .registrationRequired(let methods) = many.machine.state else {
      Issue.record("\(many.machine)")
      return
    }
    #expect(methods.map(\.id) == (0..<32).map { "m\($0)" })
    let none = try choice([])
    #expect(failure(none) == nil && none.machine.problem?.kind == .invalidAnswer)
  }

  @Test func `sends codes to a whole address or number only`() throws {
    let methods: JSONValue = [
      ["id": "masked", "login_hint": "a***@example.com"], ["id": "none"], ["id": "empty", "login_hint": ""],
      ["id": "known", "login_hint": "ann@example.com"],
      ["id": "sms", "challenge_channel": "sms", "login_hint": "+4*"],
      ["id": "accent", "login_hint": "a*\u{301}@example.com"],
    ]
    for (id, contact) in [
      ("masked", nil), ("none", nil), ("empty", nil), ("known", ""), ("sms", nil), ("accent", nil),
      ("known", "b*\u{301}@example.com"),
    ] as [(String, String?)] {
      var run = try choice(methods)
      let error = #expect(throws: AuthError.self) { try run.give(.register(id: id, contact: contact)) }
      #expect(error?.kind == .invalidContact, "\(id)")
      #expect(error?.recovery == AuthError.advice(number: id == "sms"))
    }
    var hidden = try choice(methods)
    let error = #expect(throws: AuthError.self) { try hidden.give(.register(id: "known", contact: "b*@example.com")) }
    #expect(error?.kind == .invalidContact && error?.message == "\"b*@example.com\" hides a part of the address.")
    for (id, contact, sent, channel) in [
      ("known", nil, "ann@example.com", "email"), ("known", "b@example.com", "b@example.com", "email"),
      ("masked", "c@example.com", "c@example.com", "email"), ("sms", "+491", "+491", "sms"),
    ] as [(String, String?, String, String)] {
      var run = try choice(methods)
      try run.give(.register(id: id, contact: contact))
      #expect(run.field("challenge_target") == sent && run.field("challenge_channel") == channel)
      #expect(run.field("id") == id && run.field("challenge_type") == "oob")
      run.refuse("invalid_request", 901001)
      #expect(run.machine.problem?.kind == .invalidContact)
      #expect(run.machine.problem?.recovery == AuthError.advice(number: channel == "sms"))
    }
  }

  @Test func `says of a code what it is told, within bounds`() throws {
    func sent(_ members: JSONObject) throws -> FlowState? {
      var run = try begin()
      run.answer(["continuation_token": "ct-1"])
      var body: JSONObject = ["continuation_token": "ct-2", "challenge_type": "oob"]
      for (name, value) in members { body[name] = value }
      run.answer(body)
      return run.machine.state
    }
    func code(_ to: String, _ channel: String, _ length: Int?, _ after: Int?) -> FlowState {
      .codeRequired(SentCode(sentTo: to, channel: channel, length: length, resendAfter: after))
    }
    #expect(try sent([:]) == code("", "email", nil, nil))
    #expect(
      try sent(["challenge_target": "b", "code_length": 64, "interval": 86_400]) == code("b", "email", 64, 86_400))
    #expect(
      try sent([
        "challenge_target_label": "a", "challenge_target": "b", "challenge_channel": "sms", "code_length": 65,
        "interval": 86_401,
      ]) == code("a", "sms", 64, 86_400))
    #expect(try sent(["code_length": 0, "interval": -1]) == code("", "email", 1, 0))
  }

  // MARK: The whole flow

  private func reset(_ answers: FakeServer, waits: @escaping @Sendable () -> Void = {}) async throws -> (
    AuthFlow, BrokerPlace
  ) {
    answers.queue(
      .json(["continuation_token": "ct-1"]), .json(["continuation_token": "ct-2", "challenge_type": "oob"]),
      .json(["continuation_token": "ct-3"]))
    let place = try BrokerPlace(answers)
    let flow = try place.broker.makeFlow(FlowStart(.resetPassword, username: "ann@example.com"), waits: waits)
    _ = await flow.begin()
    _ = try await flow.submit(.code(Secret("1")))
    return (flow, place)
  }

  @Test func `says once that it begins to wait, for each new password`() async throws {
    let count = Mutex(0)
    let server = FakeServer()
    let (flow, place) = try await reset(server) { count.withLock { $0 += 1 } }
    for round in 1...2 {
      server.queue(
        .json(["continuation_token": "ct-4", "poll_interval": 4]), .json(["status": "in_progress"]),
        .json(["status": "in_progress"]), .refusal("invalid_grant", nil, "password_banned"))
      let progress = try await flow.submit(.newPassword(Secret("new")))
      #expect(progress.state == .newPasswordRequired && progress.problem?.kind == .weakPassword)
      #expect(count.withLock { $0 } == round)
    }
    #expect(place.clock.slept == [4, 4, 4, 4, 4, 4])
  }

  @Test func `that is left while it waits takes another new password`() async throws {
    let server = FakeServer()
    let (flow, place) = try await reset(server)
    server.queue(.json(["continuation_token": "ct-4"]))
    let progress = await withTaskGroup(of: FlowProgress?.self) { group in
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        return try? await flow.submit(.newPassword(Secret("new")))
      }
      return await group.next() ?? nil
    }
    #expect(progress?.state == .newPasswordRequired && progress?.problem?.kind == .cancelled)
    #expect(place.clock.slept.isEmpty)
    server.queue(.json(["continuation_token": "ct-5"]), .json(["status": "succeeded"]))
    #expect(try await flow.submit(.newPassword(Secret("newer"))) == FlowProgress(.completed(nil)))
  }
}
