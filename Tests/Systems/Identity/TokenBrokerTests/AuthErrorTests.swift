import ConfigurationFiles
import HTTPClient
import JSON
import Testing

@testable import TokenBroker

@Suite(.timeLimit(.minutes(1)))
struct `What a server refuses` {
  struct Row: Sendable, CustomTestStringConvertible {
    var error: String
    var code: Int?
    var suberror: String?
    var purpose = RequestPurpose.step
    var kind: AuthError.Kind
    var testDescription: String { "\(error) \(code ?? 0) \(suberror ?? "") \(purpose)" }

    init(
      _ error: String, _ code: Int? = nil, _ suberror: String? = nil, _ purpose: RequestPurpose = .step,
      is kind: AuthError.Kind
    ) {
      (self.error, self.code, self.suberror, self.purpose, self.kind) = (error, code, suberror, purpose, kind)
    }
  }

  static let rows: [Row] = [
    Row("invalid_request", is: .invalidRequest), Row("invalid_client", is: .clientNotAllowed),
    Row("invalid_client", nil, "nativeauthapi_disabled", is: .clientNotAllowed),
    Row("unauthorized_client", is: .clientNotAllowed), Row("invalid_scope", is: .invalidScope),
    Row("invalid_grant", nil, nil, .password, is: .invalidCredentials),
    Row("invalid_grant", nil, nil, .code, is: .invalidCode),
    Row("invalid_grant", nil, nil, .refresh, is: .interactionRequired), Row("invalid_grant", is: .flowExpired),
    Row("unsupported_challenge_type", is: .notSupported), Row("unsupported_grant_type", is: .notSupported),
    Row("user_already_exists", 1_003_037, is: .userAlreadyExists), Row("user_already_exists", is: .userAlreadyExists),
    Row("user_not_found", 50034, is: .userNotFound), Row("user_not_found", is: .userNotFound),
    Row("expired_token", 552003, is: .flowExpired), Row("invalid_request", 55200, is: .flowExpired),
    Row("expired_token", is: .flowExpired), Row("attributes_required", 55106, is: .invalidAttributes),
    Row("verification_required", is: .invalidAttributes), Row("access_denied", is: .accessDenied),
    Row("access_denied", nil, "provider_blocked_by_rep", is: .accessDenied), Row("slow_down", is: .rateLimited),
    Row("authorization_pending", is: .rateLimited),
    Row("expired_refresh_token", nil, nil, .refresh, is: .interactionRequired),
    Row("server_error", is: .serverUnavailable), Row("temporarily_unavailable", is: .serverUnavailable),
    Row("invalid_grant", nil, "password_too_weak", is: .weakPassword),
    Row("invalid_grant", nil, "password_too_short", is: .weakPassword),
    Row("invalid_grant", nil, "password_too_long", is: .weakPassword),
    Row("invalid_grant", nil, "password_recently_used", is: .weakPassword),
    Row("invalid_grant", nil, "password_banned", is: .weakPassword),
    Row("invalid_grant", nil, "password_is_invalid", is: .weakPassword),
    Row("invalid_grant", nil, "attribute_validation_failed", is: .invalidAttributes),
    Row("invalid_grant", nil, "invalid_oob_value", is: .invalidCode),
    Row("invalid_grant", 50126, is: .invalidCredentials),
    Row("invalid_request", 500222, is: .noPassword), Row("invalid_grant", 50142, is: .passwordResetRequired),
    Row("invalid_grant", 50076, nil, .refresh, is: .interactionRequired),
    Row("invalid_grant", 50076, is: .browserRequired),
    Row("invalid_request", 90100, is: .invalidRequest), Row("invalid_request", 901001, is: .invalidUsername),
    Row("invalid_request", 901007, is: .invalidConfiguration), Row("invalid_grant", 399246, is: .weakPassword),
    Row("invalid_grant", 65001, nil, .refresh, is: .consentRequired),
    Row("invalid_grant", nil, "consent_required", .refresh, is: .consentRequired),
    Row("invalid_grant", 70008, nil, .refresh, is: .interactionRequired),
    Row("invalid_request", 28000, nil, .refresh, is: .severalResources),
    Row("interaction_required", nil, nil, .refresh, is: .interactionRequired),
  ]

  @Test(arguments: rows) func `is an error of its own, with a sentence and a way out`(row: Row) throws {
    let body = refusalBody(row.error, row.code, row.suberror).objectValue ?? [:]
    let failure = ServerFailure(ServerReply(status: 400, body: .object(body)), hiding: [])
    let error = AuthError(failure, purpose: row.purpose, server: "id.example")
    #expect(error.kind == row.kind)
    #expect(error.code == row.code)
    #expect(error.serverError?.hasPrefix(row.error) == true)
    #expect(error.correlationID == "11111111-2222-4333-8444-555555555555")
    #expect(error.message.count > 10 && ".\"".contains(error.message.last ?? "?"))
    #expect(error.recovery.count > 5 && error.recovery.hasSuffix("."))
  }

  @Test func `is told by the first number, or by that of the description`() {
    let two = ServerFailure(
      ServerReply(status: 400, body: .object(["error": "invalid_grant", "error_codes": [50034, 50126]])), hiding: [])
    #expect(AuthError(two, purpose: .step, server: "s").kind == .userNotFound)
    let said = ServerFailure(
      ServerReply(
        status: 400, body: .object(["error": "invalid_grant", "error_description": "AADSTS50126: Wrong.\r\nTrace"])),
      hiding: [])
    #expect(AuthError(said, purpose: .step, server: "s").code == 50126)
  }

  @Test(arguments: [
    (403, "", RequestPurpose.password, AuthError.Kind.invalidCredentials),
    (400, "", .refresh, .interactionRequired), (401, " \n", .code, .invalidCode),
    (500, "", .refresh, .serverUnavailable),
    (503, "<html>down</html>", .password, .serverUnavailable), (429, "", .refresh, .rateLimited),
    (400, "<!doctype html>", .refresh, .invalidAnswer), (404, "", .step, .invalidAnswer),
    (400, "[1]", .refresh, .invalidAnswer), (400, "{\"error\": 5}", .refresh, .invalidAnswer),
    (400, "{\"error\"", .refresh, .invalidAnswer), (418, "{}", .step, .invalidAnswer),
  ])
  func `without words is told by its status and by what was asked`(
    status: Int, body: String, purpose: RequestPurpose, kind: AuthError.Kind
  ) {
    let reply = ServerReply(HTTPResponse(status: status, body: Array(body.utf8), url: "https://s"))
    #expect(AuthError(ServerFailure(reply, hiding: []), purpose: purpose, server: "s").kind == kind)
  }

  @Test(arguments: ["hunter-22", "h u nter-22", "hunter-22\u{301}", "\u{301}hunter-22\u{301}!"])
  func `has no words of a server that repeat a secret, whatever mark is at its end`(repeated: String) {
    let body: JSONValue = .object(["error": "invalid_grant", "error_description": .string("No \(repeated)")])
    let reply = ServerReply(status: 400, body: .object(body.objectValue ?? [:]))
    #expect(ServerFailure(reply, hiding: [Secret("hunter-22")]).saying == "")
    #expect(ServerFailure(reply, hiding: [Secret("hunter-23")]).saying.utf8.starts(with: "No ".utf8))
  }

  @Test func `has words of its own, cut and on one line`() {
    let long = "Bad\u{1B}[31m\r\n" + String(repeating: "x", count: 5_000)
    let reply = ServerReply(
      status: 400, body: .object(["error": "invalid_scope", "error_description": .string("No. \(long)")]))
    let error = AuthError(ServerFailure(reply, hiding: []), purpose: .refresh, server: "s")
    #expect(error.message.contains("No. Bad"))
    #expect(error.message.count < 400 && !error.message.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test func `says nothing back that is secret`() {
    for echo in ["pass word&1", "pass%20word%261", "PREFIXpass word&1SUFFIX"] {
      let reply = ServerReply(
        status: 400, body: .object(["error": "invalid_request", "error_description": .string("Sent: \(echo)")]))
      let error = AuthError(ServerFailure(reply, hiding: [Secret("pass word&1")]), purpose: .password, server: "s")
      #expect(!error.description.contains("word"))
    }
  }

  @Test(arguments: AuthError.Kind.allCases) func `has a recovery for every kind`(kind: AuthError.Kind) {
    #expect(kind.recovery.hasSuffix(".") && kind.recovery.count > 8)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A configuration of an identity` {
  @Test func `is without the slash at its end, and has redirect among its ways`() throws {
    let made = try IdentityConfiguration(
      authority: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com//", clientID: "c", kind: .native,
      challengeTypes: ["redirect", "oob"])
    #expect(made.authority == "https://contoso.ciamlogin.com/contoso.onmicrosoft.com")
    #expect(made.challengeTypes == ["oob", "redirect"])
    #expect(made.environment == "contoso.ciamlogin.com" && made.realm == "contoso.onmicrosoft.com")
    let local = try IdentityConfiguration(authority: "http://127.0.0.1:8080", clientID: "c", kind: .openIDConnect)
    #expect(local.environment == "127.0.0.1:8080" && local.realm == "" && local.isLoopback)
  }

  @Test(arguments: [
    "", "contoso", "http://contoso.ciamlogin.com", "ftp://x", "https://u:p@host", "https://host/a b",
    "https://host?tenant=1", "https://host/#x", "https://",
  ])
  func `names a server that can be trusted with a password`(authority: String) {
    let error = #expect(throws: AuthError.self) {
      try IdentityConfiguration(authority: authority, clientID: "c", kind: .native)
    }
    #expect(error?.kind == .invalidConfiguration)
  }

  @Test func `takes no fields of the library's own, and no unknown ways`() {
    for name in ["x-ms-a", "X-Client-SKU", "x-broker-a", "x-app-name"] {
      #expect(throws: AuthError.self) {
        try IdentityConfiguration(
          authority: "https://h", clientID: "c", kind: .native, additionalHeaders: [name: "1"])
      }
    }
    #expect(throws: AuthError.self) {
      try IdentityConfiguration(authority: "https://h", clientID: "c", kind: .native, challengeTypes: ["fido"])
    }
    #expect(throws: AuthError.self) { try IdentityConfiguration(authority: "https://h", clientID: "", kind: .native) }
  }
}
