import ConfigurationFiles
import JSON
import Testing
@testable import TokenBroker

@Suite(.timeLimit(.minutes(1)))
struct `A sign-up` {
  @Test func `proves the address, then asks for what is missing, then signs in`() throws {
    var run = try MachineRun(FlowStart(.signUp, username: "ann@example.com"))
    #expect(run.sent == "/signup/v1.0/start" && run.field("password") == nil && run.field("attributes") == nil)
    run.takeCode()
    #expect(run.machine.state?.wish == "a code")
    try run.give(.code(Secret("1234")))
    #expect(run.sent == "/signup/v1.0/continue" && run.field("grant_type") == "oob" && run.field("oob") == "1234")
    run.refuse("credential_required", 55103, more: ["continuation_token": "ct-3"])
    #expect(run.sent == "/signup/v1.0/challenge" && run.field("continuation_token") == "ct-3")
    run.answer(["continuation_token": "ct-4", "challenge_type": "password"])
    #expect(run.machine.state == .passwordRequired)
    try run.give(.password(Secret("short")))
    #expect(run.field("grant_type") == "password" && run.field("password") == "short")
    run.refuse("invalid_grant", 399246, "password_too_short")
    #expect(run.machine.problem?.kind == .weakPassword && run.machine.problem?.recovery == "Choose a longer password.")
    try run.give(.password(Secret("longer")))
    run.refuse(
      "attributes_required", 55106,
      more: [
        "continuation_token": "ct-5",
        "required_attributes": [
          ["name": "city", "type": "string", "required": true, "options": ["regex": "^[a-z]+$"]],
          ["name": "age", "type": "integer", "required": "false"], ["type": "string"], 7,
        ],
      ])
    guard case .attributesRequired(let attributes) = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    #expect(attributes.map(\.name) == ["city", "age"] && attributes.map(\.isRequired) == [true, false])
    #expect(attributes.first?.pattern == "^[a-z]+$")
    try run.give(.attributes(["city": "42"]))
    #expect(run.field("grant_type") == "attributes" && run.field("attributes") == #"{"city":"42"}"#)
    run.refuse(
      "invalid_grant", nil, "attribute_validation_failed", more: ["invalid_attributes": [["name": "city"]]])
    #expect(run.machine.problem?.kind == .invalidAttributes && run.machine.problem?.names == ["city"])
    try run.give(.attributes(["city": "bern"]))
    run.answer(["continuation_token": "ct-6"])
    #expect(run.sent == "/oauth2/v2.0/token" && run.field("grant_type") == "continuation_token")
    #expect(run.field("username") == "ann@example.com")
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `is done without tokens too`() throws {
    var run = try MachineRun(FlowStart(.signUp, username: "ann@example.com", password: Secret("long enough")))
    run.takeCode()
    try run.give(.code(Secret("1234")))
    run.answer([:])
    #expect(run.machine.state == .completed(nil) && run.machine.problem == nil)
  }

  @Test func `sends what is known at the start`() throws {
    let start = FlowStart(
      .signUp, username: "ann@example.com", password: Secret("long enough"), attributes: ["city": "bern"])
    var run = try MachineRun(start)
    #expect(run.field("password") == "long enough" && run.field("attributes") == #"{"city":"bern"}"#)
    run.refuse("user_already_exists", 1_003_037)
    guard case .failed(let error) = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    #expect(error.kind == .userAlreadyExists)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A reset of a password` {
  private func untilNewPassword() throws -> MachineRun {
    var run = try MachineRun(FlowStart(.resetPassword, username: "ann@example.com"))
    #expect(run.sent == "/resetpassword/v1.0/start")
    run.takeCode()
    try run.give(.code(Secret("1234")))
    #expect(run.sent == "/resetpassword/v1.0/continue" && run.field("grant_type") == "oob")
    run.answer(["continuation_token": "ct-3", "expires_in": 600])
    #expect(run.machine.state == .newPasswordRequired)
    return run
  }

  @Test func `asks until the server has done it, then signs in`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("new")))
    #expect(run.sent == "/resetpassword/v1.0/submit" && run.field("new_password") == "new")
    run.answer(["continuation_token": "ct-4", "poll_interval": 3])
    #expect(run.sent == "/resetpassword/v1.0/poll_completion" && run.machine.state == .polling(seconds: 3))
    for status in ["not_started", "in_progress"] {
      run.answer(["continuation_token": "ct-5", "status": .string(status)])
      guard case .wait(let seconds, _) = run.effect else {
        Issue.record("\(run.machine)")
        return
      }
      #expect(seconds == 3 && run.field("continuation_token") == "ct-5")
    }
    run.answer(["continuation_token": "ct-6", "status": "succeeded"])
    #expect(run.field("grant_type") == "continuation_token" && run.field("username") == "ann@example.com")
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `is done without tokens too`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("new")))
    run.answer(["continuation_token": "ct-4", "poll_interval": 1])
    run.answer(["status": "succeeded", "continuation_token": "ct-5"])
    run.refuse("invalid_grant")
    #expect(run.machine.state == .completed(nil) && run.machine.problem != nil)
  }

  @Test func `may want a second factor before it signs in`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("new")))
    run.answer(["continuation_token": "ct-4", "poll_interval": 1])
    run.answer(["status": "succeeded", "continuation_token": "ct-5"])
    run.refuse("invalid_grant", 50076, "mfa_required", more: ["continuation_token": "ct-6"])
    run.answer(["continuation_token": "ct-7", "methods": [["id": "m1", "challenge_type": "oob"]]])
    run.answer(["continuation_token": "ct-8", "challenge_type": "oob"])
    try run.give(.code(Secret("1")))
    run.refuse("invalid_grant", nil, "invalid_oob_value")
    #expect(run.machine.state?.wish == "a code" && run.machine.problem?.kind == .invalidCode)
    try run.give(.code(Secret("2")))
    run.answer(tokens)
    #expect(run.grant != nil)
  }

  @Test func `takes another password for one that is too weak, at the end too`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("a")))
    run.refuse("invalid_grant", nil, "password_too_weak")
    #expect(run.machine.state == .newPasswordRequired && run.machine.problem?.kind == .weakPassword)
    try run.give(.newPassword(Secret("b")))
    run.answer(["continuation_token": "ct-4", "poll_interval": 1])
    run.refuse("invalid_grant", nil, "password_banned")
    #expect(run.machine.state == .newPasswordRequired)
  }

  @Test func `does not ask without an end, and not at any pace a server names`() throws {
    var run = try untilNewPassword()
    try run.give(.newPassword(Secret("new")))
    run.answer(["continuation_token": "ct-4", "poll_interval": -5])
    #expect(run.machine.state == .polling(seconds: 1))
    for _ in 0..<200 { run.answer(["status": "in_progress", "poll_interval": 1e300]) }
    guard case .failed(let error) = run.machine.state else {
      Issue.record("\(run.machine)")
      return
    }
    #expect(error.kind == .timedOut)
  }
}
