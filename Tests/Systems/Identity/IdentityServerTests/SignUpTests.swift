import JSON
import Testing

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `A native sign-up` {
  private let new = "new@example.com"

  private func start(
    _ server: Server, _ more: KeyValuePairs<String, String> = [:], for name: String? = nil
  ) async -> Answer {
    await server.send(
      "POST", "/local/signup/v1.0/start",
      body: Server.form([
        "client_id": Server.client, "username": name ?? new, "challenge_type": "password oob redirect",
      ]) + "&" + Server.form(more))
  }

  private func challenge(_ server: Server, _ token: String) async -> Answer {
    await server.post(
      "/local/signup/v1.0/challenge",
      ["client_id": Server.client, "continuation_token": token, "challenge_type": "password oob redirect"])
  }

  private func go(_ server: Server, _ token: String, _ grant: String, _ value: String) async -> Answer {
    await server.post(
      "/local/signup/v1.0/continue",
      ["client_id": Server.client, "continuation_token": token, "grant_type": grant, grant: value])
  }

  @Test func `with everything at once makes an account and signs in`() async throws {
    let server = try Server {
      $0.attributes = [AttributeRule("displayName"), AttributeRule("city", isRequired: false)]
    }
    let begun = await start(
      server, ["password": "Fresh-Paint-42", "attributes": "{\"displayName\":\"New One\"}"])
    let sent = await challenge(server, begun.continuation)
    #expect(sent["challenge_channel"] == "email" && sent["challenge_target_label"] == "n***w@example.com")
    let code = try #require(server.server.outbox.code(for: new))
    #expect(await go(server, sent.continuation, "oob", "000").row == "invalid_grant 50181 invalid_oob_value")
    let done = await go(server, sent.continuation, "oob", code)
    #expect(done.status == 200 && done.json.objectValue?.keys == ["continuation_token"])
    let tokens = await server.token("continuation_token", "username", new, done.continuation)
    #expect(tokens.status == 200 && tokens.claims("id_token")["name"] == "New One")
    let again = await server.token("password", "password", "Fresh-Paint-42", await server.passwordAsked(new))
    #expect(again.status == 200 && again.claims("access_token")["sub"] == tokens.claims("access_token")["sub"])
    #expect(await start(server).row == "user_already_exists 1003037")
  }

  @Test func `asks for what is missing, one after the other`() async throws {
    let server = try Server { $0.attributes = [AttributeRule("city", pattern: "[A-Z][a-z]+")] }
    let begun = await start(server)
    let early = await go(server, begun.continuation, "oob", "1")
    #expect(early["error"] == "verification_required")
    #expect(early.json["unverified_attributes"] == [["name": "username"]])
    let sent = await challenge(server, early.continuation)
    let code = try #require(server.server.outbox.code(for: new))
    let credential = await go(server, sent.continuation, "oob", code)
    #expect(credential.row == "credential_required 55103")
    let asked = await challenge(server, credential.continuation)
    #expect(asked["challenge_type"] == "password")
    let weak = await go(server, asked.continuation, "password", "aaaaaaaaaa")
    #expect(weak.row == "invalid_grant 399246 password_too_weak")
    let attributes = await go(server, asked.continuation, "password", "Fresh-Paint-42")
    #expect(attributes.row == "attributes_required 55106")
    #expect(
      attributes.json["required_attributes"] == [
        ["name": "city", "type": "string", "required": true, "options": ["regex": "[A-Z][a-z]+"]]
      ])
    let invalid = await go(server, attributes.continuation, "attributes", "{\"city\":\"x1\"}")
    #expect(invalid.row == "invalid_grant 1003039 attribute_validation_failed")
    #expect(invalid.json["invalid_attributes"] == [["name": "city"]])
    let done = await go(server, attributes.continuation, "attributes", "{\"city\":\"Ulm\"}")
    #expect(done.status == 200)
    #expect(await server.token("continuation_token", "username", new, done.continuation).status == 200)
  }

  @Test(arguments: [
    ("Ab1-", "password_too_short"), ("abcdefghijk", "password_too_weak"), ("Password-123", "password_banned"),
    ("Tab\there-99", "password_is_invalid"), (String(repeating: "aB1-", count: 65), "password_too_long"),
  ])
  func `refuses passwords that are too easy`(password: String, suberror: String) async throws {
    let answer = await start(try Server(), ["password": password])
    #expect(answer.row == "invalid_grant 399246 \(suberror)")
  }

  @Test(arguments: ["{", "[]", "{\"unknown\":\"x\"}", String(repeating: "[", count: 9_000)])
  func `refuses attributes that are none`(text: String) async throws {
    let server = try Server { $0.attributes = [AttributeRule("city")] }
    #expect(await start(server, ["attributes": text]).row == "invalid_request 90100")
  }

  @Test func `without passwords needs a code only`() async throws {
    let server = try Server { $0.signUpNeedsPassword = false }
    let sent = await challenge(server, await start(server).continuation)
    let done = await go(server, sent.continuation, "oob", try #require(server.server.outbox.code(for: new)))
    #expect(done.status == 200)
  }

  @Test(arguments: [
    ("oob redirect", true, true), ("oob redirect", false, false), ("password redirect", true, true),
    ("password redirect", false, true), ("password oob redirect", true, false),
  ])
  func `goes to a browser where the application has too few challenges`(
    types: String, needsPassword: Bool, isRedirected: Bool
  ) async throws {
    let server = try Server { $0.signUpNeedsPassword = needsPassword }
    let begun = await server.post(
      "/local/signup/v1.0/start", ["client_id": Server.client, "username": new, "challenge_type": types])
    #expect(begun.status == 200 && (begun["challenge_type"] == "redirect") == isRedirected)
    #expect(begun.continuation.isEmpty == isRedirected)
  }

  @Test func `makes an account of its own each time`() async throws {
    let server = try Server { $0.signUpNeedsPassword = false }
    var subjects: [JSONValue?] = []
    for name in [new, "other@example.com"] {
      let sent = await challenge(server, await start(server, for: name).continuation)
      let code = try #require(server.server.outbox.code(for: name))
      let done = await go(server, sent.continuation, "oob", code)
      let tokens = await server.token("continuation_token", "username", name, done.continuation)
      subjects.append(tokens.claims("id_token")["sub"])
    }
    #expect(subjects.count == 2 && subjects[0] != nil && subjects[0] != subjects[1])
    // The first one is there still.
    #expect(await start(server).row == "user_already_exists 1003037")
  }

  @Test func `makes no more accounts than there may be`() async throws {
    let server = try Server {
      $0.signUpNeedsPassword = false
      $0.limits.accounts = 1
    }
    let sent = await challenge(server, await start(server).continuation)
    let done = await go(server, sent.continuation, "oob", try #require(server.server.outbox.code(for: new)))
    #expect(done.status == 503)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A native reset of a password` {
  private func post(_ server: Server, _ path: String, _ token: String, _ more: KeyValuePairs<String, String>) async
    -> Answer
  {
    await server.send(
      "POST", "/local/resetpassword/v1.0/\(path)",
      body: Server.form(["client_id": Server.client, "continuation_token": token]) + "&" + Server.form(more))
  }

  /// The token with which a new password may be given.
  private func proven(_ server: Server) async throws -> String {
    let begun = await server.post(
      "/local/resetpassword/v1.0/start",
      ["client_id": Server.client, "username": Server.ada, "challenge_type": "oob redirect"])
    let sent = await post(server, "challenge", begun.continuation, ["challenge_type": "oob redirect"])
    #expect(sent["challenge_type"] == "oob")
    let wrong = await post(server, "continue", sent.continuation, ["grant_type": "oob", "oob": "x"])
    #expect(wrong.row == "invalid_grant 50181 invalid_oob_value")
    let code = try #require(server.server.outbox.code(for: Server.ada))
    let done = await post(server, "continue", sent.continuation, ["grant_type": "oob", "oob": code])
    #expect(done.json["expires_in"] == 600)
    return done.continuation
  }

  @Test func `is polled until it is done, and signs in`() async throws {
    let server = try Server()
    let before = await server.signIn()
    let token = try await proven(server)
    #expect(
      await post(server, "submit", token, ["new_password": Server.password]).row
        == "invalid_grant 399246 password_recently_used")
    let submitted = await post(server, "submit", token, ["new_password": "Brand-New-77"])
    #expect(submitted.json["poll_interval"] == 2)
    let first = await post(server, "poll_completion", submitted.continuation, [:])
    #expect(first["status"] == "in_progress")
    let last = await post(server, "poll_completion", first.continuation, [:])
    #expect(last["status"] == "succeeded")
    #expect(await server.token("continuation_token", "username", Server.ada, last.continuation).status == 200)
    #expect(await server.signIn().row == "invalid_grant 50126")
    let tokens = await server.token("password", "password", "Brand-New-77", await server.passwordAsked())
    #expect(tokens.status == 200)
    #expect(await server.refresh(before["refresh_token"])["error"] == "invalid_grant", "who knew the old one is out")
  }

  @Test func `may take its time, and fail`() async throws {
    let server = try Server {
      $0.pollsOfReset = 2
      $0.quirks = [.resetFails]
    }
    var answer = await post(server, "submit", try await proven(server), ["new_password": "Brand-New-77"])
    for status in ["not_started", "in_progress", "failed"] {
      answer = await post(server, "poll_completion", answer.continuation, [:])
      #expect(answer["status"] == status)
    }
  }

  @Test func `does not take its steps out of turn`() async throws {
    let server = try Server()
    let begun = await server.post(
      "/local/resetpassword/v1.0/start",
      ["client_id": Server.client, "username": Server.ada, "challenge_type": "oob redirect"])
    for path in ["submit", "continue", "poll_completion"] {
      let answer = await post(
        server, path, begun.continuation, ["new_password": "Brand-New-77", "grant_type": "oob", "oob": "1"])
      #expect(answer.row == "invalid_request 55200")
    }
    let token = await server.token("continuation_token", "username", Server.ada, begun.continuation)
    #expect(token.row == "invalid_request 55200")
  }
}
