import ConfigurationFiles
import HTTPClient
import JSON
import Testing

@testable import TokenBroker

/// The numbers and words of servers, each with what becomes of it.
@Suite(.timeLimit(.minutes(1)))
struct `The word of a server` {
  private func error(
    _ word: String = "", _ code: Int? = nil, _ suberror: String? = nil, purpose: RequestPurpose = .step,
    status: Int = 400, more: JSONObject = [:], retryAfter: Int? = nil, hiding: [Secret] = []
  ) -> AuthError {
    var body = more
    if !word.isEmpty { body["error"] = .string(word) }
    if let code { body["error_codes"] = [.integer(Int64(code))] }
    body["suberror"] = suberror.map { .string($0) }
    let reply = ServerReply(status: status, body: body.isEmpty ? .empty : .object(body), retryAfter: retryAfter)
    return AuthError(ServerFailure(reply, hiding: hiding), purpose: purpose, server: "s")
  }

  @Test(
    arguments: [
      (50_184, .deadCode), (50034, .userNotFound), (50126, .invalidCredentials), (500222, .noPassword),
      (50142, .passwordResetRequired), (50055, .passwordResetRequired), (50053, .accountBlocked),
      (50057, .accountBlocked), (50072, .browserRequired), (50074, .browserRequired), (50076, .browserRequired),
      (50079, .browserRequired), (50158, .browserRequired), (50173, .interactionRequired),
      (70008, .interactionRequired), (70043, .interactionRequired), (700082, .interactionRequired),
      (700084, .interactionRequired), (65001, .consentRequired), (28000, .severalResources),
      (28003, .severalResources), (70011, .invalidScope), (500011, .invalidScope), (700016, .clientNotAllowed),
      (7000218, .clientNotAllowed), (90100, .invalidRequest), (901001, .invalidUsername),
      (901007, .invalidConfiguration), (1_003_037, .userAlreadyExists), (55106, .invalidAttributes),
      (55200, .flowExpired), (552003, .flowExpired), (399246, .weakPassword), (1, .accessDenied), (0, .accessDenied),
    ] as [(Int, AuthError.Kind)])
  func `counts less than its number, where that is known`(code: Int, kind: AuthError.Kind) {
    #expect(error("access_denied", code).kind == kind && error("access_denied", code).code == code)
    let isHealed = [50072, 50074, 50076, 50079, 50158].contains(code)
    #expect(error("access_denied", code, purpose: .refresh).kind == (isHealed ? .interactionRequired : kind))
    #expect(error("access_denied", code, "password_banned").kind == (code == 50_184 ? .deadCode : .weakPassword))
  }

  @Test func `has 128 bytes, and its detail too`() {
    for (count, isKept) in [(128, true), (129, false)] {
      let word = String(repeating: "w", count: count)
      let body = ServerReply.Body.object(["error": .string(word), "suberror": .string(word)])
      let failure = ServerFailure(ServerReply(status: 400, body: body), hiding: [])
      #expect(failure.error == (isKept ? word : "") && failure.suberror == (isKept ? word : nil))
    }
  }

  @Test func `of a user name or a contact is told by the description and by what was sent`() {
    for (saying, kind) in [
      ("The USERNAME is empty.", .invalidUsername), ("The user is empty.", .invalidRequest),
    ] as [(JSONValue, AuthError.Kind)] {
      #expect(error("x", 90100, more: ["error_description": saying]).kind == kind)
    }
    for (purpose, kind, advice) in [
      (.address, .invalidContact, AuthError.advice(number: false)),
      (.number, .invalidContact, AuthError.advice(number: true)),
      (.startSignIn, .invalidUsername, AuthError.Kind.invalidUsername.recovery),
    ] as [(RequestPurpose, AuthError.Kind, String)] {
      let found = error("x", 901001, purpose: purpose)
      #expect(found.kind == kind && found.recovery == advice)
    }
    #expect(error("x", 901001, purpose: .number).message == "s sends no codes to this number.")
    #expect(error("x", 901001, purpose: .address).message == "s sends no codes to this address.")
  }

  @Test(
    arguments: [
      ("invalid_request", .invalidRequest), ("invalid_client", .clientNotAllowed),
      ("unauthorized_client", .clientNotAllowed), ("invalid_scope", .invalidScope), ("invalid_target", .invalidScope),
      ("unsupported_challenge_type", .notSupported), ("unsupported_grant_type", .notSupported),
      ("unsupported_response_type", .notSupported), ("user_already_exists", .userAlreadyExists),
      ("user_not_found", .userNotFound), ("expired_token", .flowExpired), ("credential_required", .invalidRequest),
      ("attributes_required", .invalidAttributes), ("verification_required", .invalidAttributes),
      ("access_denied", .accessDenied), ("authorization_pending", .rateLimited), ("slow_down", .rateLimited),
      ("expired_refresh_token", .interactionRequired), ("interaction_required", .interactionRequired),
      ("login_required", .interactionRequired), ("account_selection_required", .interactionRequired),
      ("consent_required", .consentRequired), ("server_error", .serverUnavailable),
      ("temporarily_unavailable", .serverUnavailable),
    ] as [(String, AuthError.Kind)])
  func `counts more than its status`(word: String, kind: AuthError.Kind) {
    for status in [400, 418, 429, 500] { #expect(error(word, status: status).kind == kind) }
    #expect(error(word, 12_345).kind == kind)
  }

  @Test(
    arguments: [
      (.startSignIn, .invalidRequest), (.startSignUp, .invalidRequest), (.startReset, .invalidRequest),
      (.step, .flowExpired), (.password, .invalidCredentials), (.newPassword, .weakPassword), (.code, .invalidCode),
      (.attributes, .invalidAttributes), (.address, .invalidContact), (.number, .invalidContact),
      (.refresh, .interactionRequired), (.authorizationCode, .flowExpired), (.deviceCode, .flowExpired),
      (.discovery, .invalidAnswer), (.revocation, .invalidAnswer),
    ] as [(RequestPurpose, AuthError.Kind)])
  func `that is missing is told by what was asked, for some statuses`(purpose: RequestPurpose, kind: AuthError.Kind) {
    #expect(error("invalid_grant", purpose: purpose).kind == kind)
    for status in [400, 401, 403] {
      #expect(error(purpose: purpose, status: status).kind == kind)
      #expect(error("odd", purpose: purpose, status: status).kind == .invalidAnswer)
    }
    for (status, other) in [
      (200, .invalidAnswer), (402, .invalidAnswer), (404, .invalidAnswer), (428, .invalidAnswer), (429, .rateLimited),
      (430, .invalidAnswer), (499, .invalidAnswer), (500, .serverUnavailable), (599, .serverUnavailable),
    ] as [(Int, AuthError.Kind)] {
      #expect(error(purpose: purpose, status: status).kind == other, "\(status)")
    }
  }

  @Test(
    arguments: [
      ("x", 50034, nil, "s knows no such user."), ("x", 901001, nil, "s does not take this user name."),
      ("x", 50126, nil, "The user name or the password is wrong."), ("x", 500222, nil, "This account has no password."),
      ("x", 50142, nil, "The password of this account has to be reset."),
      ("x", 50053, nil, "This account is locked or switched off."),
      ("x", 1_003_037, nil, "s has a user of this name already."),
      ("x", nil, "invalid_oob_value", "The code is wrong."),
      ("x", 50_184, nil, "The code was tried too often, or is too old."),
      ("x", 55200, nil, "This attempt took too long, or one of its steps was made twice."),
      ("x", 70011, nil, "s does not take the scopes."),
      ("x", 28000, nil, "s gives no token for scopes of several resources."),
      ("x", 70008, nil, "s wants the user to sign in again."),
      ("x", 65001, nil, "No user has agreed to these scopes yet."),
      ("x", 50076, nil, "s wants more than this way of signing in can give."),
      ("x", 700016, nil, "s does not allow this client to do that."),
      ("unsupported_grant_type", nil, nil, "s does not support this way of signing in."),
      ("x", 901007, nil, "s wants a client that can be sent to a browser."),
      ("access_denied", nil, nil, "s refused access."), ("slow_down", nil, nil, "s gets too many requests (400)."),
      ("server_error", nil, nil, "s failed (400)."),
      ("invalid_request", nil, nil, "s does not take the request (400)."),
      ("x", 55106, nil, "s does not take the attributes as they are."),
      ("x", nil, nil, "s answered with what is not an answer (400)."),
    ] as [(String, Int?, String?, String)])
  func `has a sentence of its own`(word: String, code: Int?, suberror: String?, message: String) {
    let found = error(word, code, suberror)
    #expect(found.message == message && found.recovery == found.kind.recovery)
  }

  @Test(
    arguments: [
      ("too_short", "it is too short", "Choose a longer password."),
      ("too_long", "it is too long", "Choose a shorter password."),
      ("recently_used", "it was used before", "Choose a password that was not used before."),
      ("banned", "everybody guesses it", "Choose a password that is not so common."),
      (
        "is_invalid", "it has characters that are not allowed",
        "Leave out the characters that the server does not allow."
      ),
      ("too_weak", "it is too weak", AuthError.Kind.weakPassword.recovery),
    ])
  func `of a password says what is wrong with it, and what to do`(word: String, fault: String, recovery: String) {
    let found = error("invalid_grant", nil, "password_\(word)")
    #expect(found.message == "s does not take this password: \(fault)." && found.recovery == recovery)
  }

  @Test func `of how long to wait counts where waiting helps`() {
    for (word, code, kind, isKept) in [
      ("slow_down", nil, .rateLimited, true), ("server_error", nil, .serverUnavailable, true),
      ("x", 50053, .accountBlocked, true), ("access_denied", nil, .accessDenied, false),
    ] as [(String, Int?, AuthError.Kind, Bool)] {
      for seconds in [nil, 0, 1] {
        let found = error(word, code, retryAfter: seconds)
        #expect(found.kind == kind && found.retryAfter == (isKept ? seconds : nil))
        #expect(found.recovery == (isKept && seconds == 1 ? "Wait 1 s, then try again." : kind.recovery))
      }
    }
  }

  @Test func `is the first number of several, of at most nine digits behind its mark`() {
    func code(_ description: String, _ codes: JSONValue? = nil) -> Int? {
      var more: JSONObject = ["error_description": .string(description)]
      more["error_codes"] = codes
      return error("x", more: more).code
    }
    #expect(code("AADSTS50126: Wrong.") == 50126 && code("AADSTS1234567890") == 123_456_789)
    #expect(code("AADSTS") == nil && code("AADSTSx") == nil && code("50126") == nil && code(" AADSTS1") == nil)
    #expect(code("AADSTS１2") == nil && code("AADSTS1", [2, 3]) == 2 && code("AADSTS1", []) == 1)
    #expect(code("AADSTS1", ["2"]) == 1 && error("x").code == nil)
    #expect(error("a", nil, "b").serverError == "a/b" && error("a").serverError == "a" && error().serverError == nil)
  }

  @Test func `is about the attributes of the first list that has some`() {
    func names(_ more: JSONObject) -> [String] { error("attributes_required", more: more).names }
    #expect(names(["required_attributes": [["name": "a"]], "invalid_attributes": [["name": "b"]]]) == ["a"])
    #expect(names(["required_attributes": [], "invalid_attributes": [["name": "b"]]]) == ["b"])
    #expect(names(["unverified_attributes": [["name": "c"], ["name": ""], [:]]]) == ["c"] && names([:]) == [])
    let two = error("attributes_required", more: ["required_attributes": [["name": "a"], ["name": "b"]]])
    #expect(two.message == "s does not take the attributes as they are: a, b.")
    func attribute(_ members: JSONObject) -> RequiredAttribute? { RequiredAttribute(members) }
    let longest = String(repeating: "é", count: 128)
    #expect(attribute(["name": .string(longest)]) != nil && attribute(["name": .string(longest + "a")]) == nil)
    for (required, isRequired) in [
      (nil, true), (true, true), (false, false), ("true", true), ("false", false), (.null, true),
    ] as [(JSONValue?, Bool)] {
      var members: JSONObject = ["name": "a"]
      members["required"] = required
      #expect(attribute(members)?.isRequired == isRequired && attribute(members)?.kind == "string")
    }
    #expect(attribute(["name": "a"])?.pattern == nil && attribute(["name": "a", "type": "boolean"])?.kind == "boolean")
  }

  @Test func `repeats nothing that is secret, however it is written`() {
    let secret = Secret("pass word&1")
    for echo in ["pass word&1", "password&1", "pass\tword &1", "pass%20word%261", "pass+word%261"] {
      let found = error("invalid_request", more: ["error_description": .string("Sent: \(echo)!")], hiding: [secret])
      #expect(found.message == "s does not take the request (400).", "\(echo)")
    }
    for harmless in ["password", "pass word", "word&1"] {
      let found = error("invalid_request", more: ["error_description": .string("Sent: \(harmless)")], hiding: [secret])
      #expect(found.message == "s does not take the request (400). It says: \"Sent: \(harmless)\".")
    }
    // What the answer itself holds is no less secret, and a secret that is empty hides nothing.
    let own = error("invalid_request", more: ["error_description": "Got ct-9.", "continuation_token": "ct-9"])
    #expect(!own.message.contains("ct-9"))
    let empty = error("invalid_request", more: ["error_description": "No."], hiding: [Secret("")])
    #expect(empty.message == "s does not take the request (400). It says: \"No.\".")
    let long = error("invalid_request", more: ["error_description": "No. Trace ID: 1\nMore"])
    #expect(long.message == "s does not take the request (400). It says: \"No.\".")
  }
}
