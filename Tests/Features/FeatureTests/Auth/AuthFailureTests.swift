import JSONRPC
import AppExtensions
import ExtensionHosting
import HTTPServer
import HostServices
import IdentityServer
import JSON
import Testing

@testable import ExtensionTesting

private typealias Place = SignedInHost

/// What an identity server refuses, as an extension and the form of an app hear of it.
@Suite(.timeLimit(.minutes(2)))
struct `A refusal of the identity server` {
  /// An answer in the place of the server's, and what becomes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    var path: String
    var status = 400
    var body: String
    var kind: String
    var headers: [ServerField] = []
    var testDescription: String { "\(path) \(status) \(body.prefix(60))" }

    /// - Parameter more: further members of the body.
    init(_ path: String, _ error: String, _ code: Int? = nil, _ suberror: String? = nil, is kind: String) {
      (self.path, self.kind) = (path, kind)
      var object: JSONObject = ["error": .string(error), "correlation_id": "11111111-2222-4333-8444-555555555555"]
      if let code { object["error_codes"] = [.integer(Int64(code))] }
      if let suberror { object["suberror"] = .string(suberror) }
      body = JSONCoding.text(of: .object(object))
    }

    init(_ path: String, status: Int, _ body: String = "", _ headers: [ServerField] = [], is kind: String) {
      (self.path, self.status, self.body, self.headers, self.kind) = (path, status, body, headers, kind)
    }

    func put(into server: IdentityServer) {
      server.faults.add(
        .response(
          ServerResponse(
            status: status, headers: [ServerField("Content-Type", "application/json")] + headers,
            body: Array(body.utf8))), at: path, count: 9)
    }
  }

  private static let app = Caller.Identity.testing(id: "com.example.test", point: .containingApp)

  static let ofForms = [
    Row("initiate", "user_not_found", 50034, is: "userNotFound"),
    Row("initiate", "invalid_client", is: "clientNotAllowed"),
    Row("initiate", "invalid_client", nil, "nativeauthapi_disabled", is: "clientNotAllowed"),
    Row("initiate", "unauthorized_client", is: "clientNotAllowed"),
    Row("initiate", "unsupported_challenge_type", is: "notSupported"),
    Row("initiate", "invalid_request", 90100, is: "invalidRequest"),
    Row("initiate", "invalid_request", 901001, is: "invalidUsername"),
    Row("initiate", "invalid_request", 901007, is: "invalidConfiguration"),
    Row("initiate", "invalid_request", 500222, is: "noPassword"),
    Row("initiate", status: 200, #"{"challenge_type":"redirect"}"#, is: "browserRequired"),
    Row("challenge", "expired_token", 552003, is: "flowExpired"),
    Row("challenge", "invalid_request", 55200, is: "flowExpired"),
    Row("challenge", "access_denied", nil, "provider_blocked_by_rep", is: "accessDenied"),
    Row("token", "invalid_scope", is: "invalidScope"),
    Row("token", "invalid_grant", 50142, is: "passwordResetRequired"),
    Row("token", "invalid_grant", 50076, is: "browserRequired"),
    Row("token", "invalid_grant", 65001, is: "consentRequired"),
    Row("token", "unsupported_grant_type", is: "notSupported"),
  ]

  @Test(arguments: ofForms) func `ends the form with what it is about`(row: Row) async throws {
    try await Place.run { place in
      row.put(into: place.server)
      let error = try await place.failure(as: Self.app) {
        _ = try await $0.beginSignIn("ada@example.com", password: SecretText(Place.password))
      }
      #expect(error.details["kind"]?.stringValue == row.kind, "\(error)")
      #expect(error.details["correlationID"]?.stringValue?.count == 36 && error.recovery?.isEmpty == false, "\(error)")
      #expect(!"\(error) \(error.details)".contains(Place.password))
    }
  }

  @Test(arguments: [
    Row("token", "invalid_grant", 50126, is: "invalidCredentials"), Row("token", status: 403, is: "invalidCredentials"),
    Row("token", status: 400, is: "invalidCredentials"),
    // What is no answer leaves the form where it was.
    Row("token", status: 200, is: "invalidAnswer"),
    Row("token", status: 200, "{\"access_token\":", is: "invalidAnswer"),
    Row("token", status: 200, "<html>Sign in</html>", is: "invalidAnswer"),
    Row("token", status: 302, "", [ServerField("Location", "/x")], is: "invalidAnswer"),
  ])
  func `asks the form for another password, a word of the server or none`(row: Row) async throws {
    try await Place.run { place in
      row.put(into: place.server)
      let problem = try await place.host().inWidget(as: Self.app) { context -> Auth.Problem? in
        guard case .passwordRequired(let state) = try await context.beginSignIn("ada@example.com", password: "x") else {
          return nil
        }
        return state.problem
      }
      #expect(problem?.kind == row.kind && problem?.recovery.isEmpty == false)
    }
  }

  static let ofRefreshes = [
    Row("token", "invalid_grant", is: "interactionRequired"), Row("token", status: 400, is: "interactionRequired"),
    Row("token", "invalid_grant", 70008, is: "interactionRequired"),
    Row("token", "invalid_grant", 50076, is: "interactionRequired"),
    Row("token", "expired_refresh_token", is: "interactionRequired"),
    Row("token", "interaction_required", is: "interactionRequired"),
    Row("token", "invalid_grant", nil, "consent_required", is: "consentRequired"),
    Row("token", "invalid_scope", is: "invalidScope"), Row("token", "invalid_request", 28000, is: "severalResources"),
    Row("token", "server_error", is: "serverUnavailable"), Row("token", status: 503, is: "serverUnavailable"),
    Row("token", "slow_down", is: "rateLimited"), Row("token", status: 200, is: "invalidAnswer"),
  ]

  @Test(arguments: ofRefreshes) func `is what an extension is told, and leaves the account`(row: Row) async throws {
    try await Place.run { place in
      try await place.signIn()
      row.put(into: place.server)
      let kept = try await place.host().inWidget(as: Place.identity(Place.first, Place.second, token: true)) {
        context in
        let error = await #expect(throws: ExtensionError.self) {
          _ = try await context.fetch("\(place.url)/api2", scopes: [Place.second])
        }
        #expect(error?.details["kind"]?.stringValue == row.kind, "\(String(describing: error))")
        #expect(
          error?.code
            == (["interactionRequired", "consentRequired"].contains(row.kind)
              ? .interactionRequired
              : row.kind == "severalResources" ? .invalidParams : .authFailed))
        return try await context.accounts()
      }
      #expect(kept.map(\.username) == ["ada@example.com"])
    }
  }

  @Test(arguments: [(429, "rateLimited"), (503, "serverUnavailable")])
  func `says how long to wait, where the server does`(status: Int, kind: String) async throws {
    try await Place.run { place in
      try await place.signIn()
      Row("token", status: status, "", [ServerField("Retry-After", "17")], is: kind).put(into: place.server)
      let error = try await place.failure(as: Place.identity(Place.second)) {
        _ = try await $0.fetch("\(place.url)/api2", scopes: [Place.second])
      }
      #expect(error.details["kind"]?.stringValue == kind && error.details["retryAfterSeconds"]?.integerValue == 17)
      #expect(error.recovery == "Wait 17 s, then try again.")
    }
  }
}
