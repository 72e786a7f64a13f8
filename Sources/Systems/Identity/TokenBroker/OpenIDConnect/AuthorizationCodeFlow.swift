internal import Cryptography
internal import Text
internal import ConfigurationFiles
internal import Synchronization
import Time

/// What opens a port of the loopback interface for a browser that comes back from a server (RFC 8252, 7.3).
///
/// It answers requests with what `page` makes of their method, path and query, while `body` runs; `body` gets the URL of the
/// port, such as `http://127.0.0.1:49152`.
///
/// - Throws: what `body` throws; `AuthError` when there can be no port.
package typealias RedirectListener =
  @Sendable (
    _ page: @escaping @Sendable (_ method: String, _ path: String, _ query: String?) -> (status: Int, text: String),
    _ body: @Sendable (_ url: String) async throws -> Void
  ) async throws -> Void

/// A sign-in in a browser of this machine (RFC 8252): the server redirects the browser to a port of this process, which
/// accepts one answer and is then closed.
package struct AuthorizationCodeFlow: Sendable {
  private let broker: TokenBroker
  private let endpoints: ServerMetadata
  private let authorizationEndpoint: String
  private let scopes: ScopeList
  private let loginHint: String?
  private let state = ProofKey.randomText()
  private let nonce = ProofKey.randomText()
  private let proof = ProofKey()

  /// The path of the address that the browser comes back to.
  private let path: String

  init(
    broker: TokenBroker, endpoints: ServerMetadata, authorizationEndpoint: String, scopes: ScopeList,
    loginHint: String?, path: String
  ) {
    self.path = path
    (self.broker, self.endpoints, self.scopes) = (broker, endpoints, scopes)
    (self.authorizationEndpoint, self.loginHint) = (authorizationEndpoint, loginHint)
  }

  /// Opens the port, has the browser opened, and waits for the redirect.
  ///
  /// - Parameters:
  ///   - seconds: how long the user may take.
  ///   - listener: opens the port.
  ///   - open: shows the address to the user, or opens it.
  /// - Throws: `AuthError`; `cancelled` when the task was cancelled.
  package func run(
    within seconds: Int = 300, listening listener: RedirectListener,
    open: @escaping @Sendable (_ url: String) async -> Void
  ) async throws(AuthError) -> Account {
    let found = OneAnswer()
    let brought = Mutex<(code: Secret, redirect: String)?>(nil)
    do {
      try await listener { method, path, query in
        page(method, path, query, found)
      } _: { url in
        let redirect = url + path
        let code = try await answer(to: redirect, within: seconds, found, open)
        brought.withLock { $0 = (code, redirect) }
      }
    } catch let error as AuthError {
      throw error
    } catch {
      throw .cancelled
    }
    guard let (code, redirect) = brought.withLock({ $0 }) else { throw .cancelled }
    return try await redeem(code, redirect)
  }

  private func answer(
    to redirect: String, within seconds: Int, _ found: OneAnswer, _ open: @escaping @Sendable (String) async -> Void
  ) async throws -> Secret {
    let url = url(redirect: redirect)
    let clock = broker.clock
    return try await withThrowingTaskGroup(of: Secret?.self) { group in
      group.addTask {
        await open(url)
        return nil
      }
      group.addTask {
        try await clock.sleep(.seconds(seconds))
        throw AuthError(.timedOut, "The sign-in in the browser was not finished in time.", recovery: "Begin again.")
      }
      group.addTask { try await found.wait() }
      defer { group.cancelAll() }
      while let code = try await group.next() { if let code { return code } }
      throw AuthError.cancelled
    }
  }

  /// Returns the address of the authorization request, which the browser opens.
  func url(redirect: String) -> String {
    var query: FormFields = [
      "response_type": "code", "client_id": broker.configuration.clientID, "redirect_uri": redirect,
      "scope": scopes.union(.standard).names.joined(separator: " "), "code_challenge": proof.challenge,
      "code_challenge_method": "S256",
    ]
    query["state"] = state
    query["nonce"] = nonce
    if let loginHint { query["login_hint"] = Secret(loginHint) }
    return authorizationEndpoint + (authorizationEndpoint.contains("?") ? "&" : "?") + query.query
  }

  private func page(
    _ method: String, _ path: String, _ query: String?, _ found: OneAnswer
  ) -> (status: Int, text: String) {
    guard method == "GET", path == self.path else { return (404, "There is nothing here.\n") }
    let answer = RedirectAnswer(
      query: query, state: state, endpoints: endpoints, server: broker.configuration.environment)
    return switch answer {
    case .foreign: (400, "This belongs to no sign-in that is under way.\n")
    case .code where found.take(answer): (200, "You can close this page and go back to the program.\n")
    case .refused where found.take(answer): (200, "The sign-in was not completed. You can close this page.\n")
    default: (410, "This sign-in is over.\n")
    }
  }

  private func redeem(_ code: Secret, _ redirect: String) async throws(AuthError) -> Account {
    var form: FormFields = [
      "grant_type": "authorization_code", "client_id": broker.configuration.clientID, "redirect_uri": redirect,
    ]
    form["code"] = code
    form["code_verifier"] = proof.verifier
    return try await broker.redeem(
      form, at: endpoints, purpose: .authorizationCode, username: loginHint, asked: scopes, nonce: nonce)
  }
}

/// The one answer that a browser brings.
private final class OneAnswer: Sendable {
  private let answer = Mutex<RedirectAnswer?>(nil)
  private let landing = Landing()

  /// - Returns: false when there was one before.
  func take(_ new: RedirectAnswer) -> Bool {
    let isFirst = answer.withLock { answer in
      if answer != nil { return false }
      answer = new
      return true
    }
    landing.end(.abandoned)
    return isFirst
  }

  func wait() async throws -> Secret {
    _ = await landing.wait()
    switch answer.withLock({ $0 }) {
    case .code(let code): return code
    case .refused(let error): throw error
    default: throw AuthError.cancelled
    }
  }
}

extension TokenBroker {
  /// A sign-in in a browser of this machine, not begun.
  ///
  /// - Parameter path: the path of the redirect address, where the server has one registered for the client.
  /// - Throws: `AuthError`; `notSupported` when the server has no place for it.
  package func makeAuthorizationCodeFlow(
    scopes: ScopeList = .standard, loginHint: String? = nil, path: String = "/"
  ) async throws(AuthError) -> AuthorizationCodeFlow {
    let endpoints = try await endpoints()
    guard let authorizationEndpoint = endpoints.authorizationEndpoint else {
      throw AuthError(.notSupported, "\(configuration.environment) has no page to sign in at.")
    }
    return AuthorizationCodeFlow(
      broker: self, endpoints: endpoints, authorizationEndpoint: authorizationEndpoint, scopes: scopes,
      loginHint: loginHint, path: path)
  }
}

/// The proof that the program which redeems a code also requested it (RFC 7636).
struct ProofKey: Sendable, Equatable {
  let verifier: Secret

  init() { verifier = Self.randomText() }
  init(verifier: Secret) { self.verifier = verifier }

  /// The value that the authorization request sends: the SHA-256 of the verifier, in base64url.
  var challenge: String { Base64URL.encode(SHA256.digest(of: Array(verifier.revealed().utf8))) }

  /// 43 letters and digits, of 256 random bits.
  static func randomText() -> Secret { Secret(Base64URL.encode(SecureRandom.bytes(32))) }
}
