import ConfigurationFiles
import JSON
import Testing

@testable import TokenBroker

/// Steps of native authentication that are made once more: another code, another beginning, another password.
@Suite(.timeLimit(.minutes(1)))
struct `A flow whose steps are made again` {
  private func begin(_ kind: FlowKind = .signIn, _ password: String? = nil) throws -> MachineRun {
    try MachineRun(FlowStart(kind, username: "ann", password: password.map { Secret($0) }))
  }

  /// Until the server has said that a password is not enough.
  private func needing(_ suberror: String, methods: JSONValue) throws -> MachineRun {
    var run = try begin(.signIn, "password")
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    run.refuse("invalid_grant", 50076, suberror, more: ["continuation_token": "ct-3"])
    run.answer(["continuation_token": "ct-4", "methods": methods])
    return run
  }

  private func failure(_ run: MachineRun) -> AuthError? {
    if case .failed(let error) = run.machine.state { error } else { nil }
  }

  @Test func `has another code of a second factor sent as the first, as often as it is wanted`() throws {
    var run = try needing("mfa_required", methods: [["id": "m1"], ["id": "m2", "challenge_channel": "sms"]])
    try run.give(.method(id: "m2"))
    run.answer(["continuation_token": "ct-5", "challenge_type": "oob"])
    for number in 5..<8 {
      try run.give(.resend)
      #expect(run.sent == "/oauth2/v2.0/challenge" && run.field("continuation_token") == "ct-\(number)")
      #expect(run.field("id") == "m2" && run.field("challenge_type") == "password oob redirect")
      run.answer(["continuation_token": .string("ct-\(number + 1)"), "challenge_type": "oob"])
    }
    try run.give(.code(Secret("1")))
    #expect(run.field("grant_type") == "mfa_oob" && run.field("continuation_token") == "ct-8")
  }

  @Test func `has another code of a method to register sent to the same contact`() throws {
    var run = try needing("registration_required", methods: [["id": "m1", "challenge_channel": "sms"]])
    try run.give(.register(id: "m1", contact: "+491"))
    run.answer(["continuation_token": "ct-5", "challenge_type": "oob"])
    for number in 5..<7 {
      try run.give(.resend)
      #expect(run.sent == "/register/v1.0/challenge" && run.field("continuation_token") == "ct-\(number)")
      #expect(run.field("challenge_target") == "+491" && run.field("challenge_channel") == "sms")
      #expect(run.field("id") == "m1" && run.field("challenge_type") == "oob")
      run.answer(["continuation_token": .string("ct-\(number + 1)"), "challenge_type": "oob"])
    }
    try run.give(.code(Secret("1")))
    #expect(run.sent == "/register/v1.0/continue" && run.field("continuation_token") == "ct-7")
  }

  @Test func `takes no second code while the first is on its way, nor while its tokens are kept`() throws {
    let account = Account(id: "u1.t1", username: "ann", signedIn: true)
    for isKept in [true, false] {
      var run = try begin()
      run.takeCode()
      try run.give(.code(Secret("1")))
      let sent = #expect(throws: AuthError.self) { try run.give(.code(Secret("1"))) }
      #expect(sent?.message == "The flow waits for the server, and not for a code.")
      run.answer(tokens)
      #expect(run.grant != nil)
      for input in [FlowInput.code(Secret("1")), .resend] {
        let error = #expect(throws: AuthError.self) { try run.give(input) }
        #expect(error?.kind == .wrongState && run.machine.request == nil)
      }
      if isKept {
        run.machine.keptTokens(of: account)
        #expect(run.machine.state == .completed(account))
      } else {
        run.machine.couldNotKeepTokens(AuthError(.cacheUnusable, "No space."))
        #expect(failure(run)?.kind == .cacheUnusable)
      }
      let over = #expect(throws: AuthError.self) { try run.give(.code(Secret("1"))) }
      #expect(over?.message == "The flow waits for nothing more, and not for a code.")
    }
  }

  @Test func `says that it began again, with what the server said, and no more of it at the end`() throws {
    var run = try begin(.signIn, "password")
    run.answer(["continuation_token": "ct-1"])
    run.answer(["continuation_token": "ct-2", "challenge_type": "password"])
    run.refuse("expired_token", 552003)
    let problem = run.machine.problem
    #expect(problem?.recovery == "The flow began again: give what it asks for now.")
    #expect(problem?.message == "This attempt took too long, or one of its steps was made twice.")
    #expect(problem?.code == 552003 && problem?.serverError == "expired_token")
    #expect(problem?.correlationID == "11111111-2222-4333-8444-555555555555")
    run.answer(["continuation_token": "ct-3"])
    run.answer(["continuation_token": "ct-4", "challenge_type": "password"])
    run.answer(tokens)
    #expect(run.grant != nil)
    run.machine.keptTokens(of: Account(id: "u1.t1", username: "ann", signedIn: true))
    #expect(run.machine.problem == nil)
  }

  @Test func `is over when its new beginning has no answer, for the code of before is good no more`() throws {
    var run = try begin()
    run.takeCode()
    try run.give(.code(Secret("1")))
    run.refuse("expired_token", 552003)
    #expect(run.sent == "/oauth2/v2.0/initiate" && run.machine.state == nil)
    run.effect = run.machine.receive(AuthError(.timedOut, "No answer."))
    #expect(run.effect == .rest && failure(run)?.kind == .timedOut)
    let error = #expect(throws: AuthError.self) { try run.give(.code(Secret("1"))) }
    #expect(error?.kind == .wrongState && error?.message == "The flow waits for nothing more, and not for a code.")
  }

  @Test func `asks for another password where the server wants one and does not take this one`() throws {
    var run = try begin(.signUp)
    run.takeCode()
    try run.give(.code(Secret("1")))
    run.refuse("credential_required", 55103, more: ["continuation_token": "ct-3"])
    run.answer(["continuation_token": "ct-4", "challenge_type": "password"])
    for number in 4..<6 {
      try run.give(.password(Secret("weak")))
      #expect(run.sent == "/signup/v1.0/continue" && run.field("continuation_token") == "ct-\(number)")
      run.refuse(
        "credential_required", 55103, "password_too_weak", more: ["continuation_token": .string("ct-\(number + 1)")])
      #expect(run.effect == .rest && run.machine.state == .passwordRequired)
      #expect(run.machine.problem?.kind == .weakPassword)
    }
  }

  @Test func `is given up where a server asks for one step after the other`() async throws {
    let server = FakeServer { _, _ in
      .refusal("invalid_grant", nil, "introspect_required", more: ["continuation_token": "ct"])
    }
    let place = try BrokerPlace(server)
    let flow = try place.broker.makeFlow(FlowStart(.signIn, username: "ann"))
    let progress = await flow.begin()
    guard case .failed(let error) = progress.state else {
      Issue.record("\(progress.state.wish)")
      return
    }
    #expect(error.kind == .invalidAnswer && error.correlationID == flow.correlationID && progress.problem == error)
    #expect(server.asked.count == AuthFlowMachine.mostPolls + 64)
    let state = await flow.state
    #expect(state == progress.state)
  }
}
