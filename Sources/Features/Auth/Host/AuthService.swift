import ConfigurationFiles
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import Fetching
import HTTPClient
import JSON
import TokenBroker

/// `auth/…`: keeps the users of containing apps signed in, and calls web APIs for their extensions with access tokens that
/// no extension sees.
///
/// The broker has asked for the permission. This service keeps tokens to the scopes and servers that the manifest names,
/// and the accounts of one containing app from every other.
public final class AuthService: HostService {
  /// The methods that are served, those under `auth/`.
  public typealias Contract = Auth
  /// Asks the user to sign in. The extension receives an error that it throws.
  public typealias SignIn = @Sendable (_ question: SignInQuestion) async throws -> Auth.RequestSignIn.State

  /// Where the users of apps sign in.
  package let identities: IdentityBook
  let signIn: SignIn?
  let flows = AuthFlows()
  let questions = SignInQuestions()
  private let rules = KnownByProcess { CallerRules($0) }
  private let client: HTTPClient
  private let slots = RequestSlots(limit: FetchPlan.mostInFlight)
  let localServers: LocalServers?

  /// - Parameters:
  ///   - identities: where the users of apps sign in.
  ///   - signIn: has the user sign in; without it `auth/requestSignIn` is answered with `unavailable`.
  ///   - certificateFile: certificates of web APIs to trust, in PEM, in place of those of the system.
  package init(
    in environment: HostEnvironment, identities: IdentityBook, certificateFile: String? = nil, signIn: SignIn? = nil
  ) {
    (self.identities, self.signIn) = (identities, signIn)
    client = Self.client(certificateFile)
    localServers = LocalServers(environment.state)
  }

  /// A service outside of a host, for tests.
  package init(
    identities: IdentityBook, certificateFile: String? = nil, avoiding localServers: LocalServers? = nil,
    signIn: SignIn? = nil
  ) {
    (self.identities, self.signIn) = (identities, signIn)
    self.localServers = localServers
    client = Self.client(certificateFile)
  }

  /// Creates a service that signs users in at the identity servers in the apps' manifests.
  ///
  /// - Parameters:
  ///   - state: the directory for the encrypted tokens.
  ///   - registry: the installed apps.
  ///   - signIn: asks the user to sign in; without it `auth/requestSignIn` is answered with `unavailable`.
  public convenience init(state: StateDirectory, registry: ExtensionRegistry, signIn: SignIn? = nil) {
    self.init(
      identities: IdentityBook(state: state) { app throws(ExtensionError) in
        try registry.identity(ofApp: app)
      }, avoiding: LocalServers(state), signIn: signIn)
  }

  private static func client(_ certificateFile: String?) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.certificateFile = certificateFile
    return HTTPClient(configuration: configuration)
  }

  /// Answers the methods, for what the caller's manifest asks for.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(answering: Auth.Fetch.self) { params, caller in
      try await caller.whileOpen(params.requestID) { try await self.fetch(params, for: caller) }.enclosing { fill in
        try await caller.whileOpen(params.requestID, fill)
      }
    }
    Handler(Auth.Token.self) { params, caller in try await self.token(params, for: caller) }
    Handler(Auth.Accounts.self) { _, caller in
      Auth.Accounts.Result(accounts: try await self.accounts(of: caller.identity.containingApp))
    }
    Handler(Auth.RequestSignIn.self) { params, caller in try await self.requestSignIn(params, for: caller) }
    Handler(Auth.Begin.self) { params, caller in try await self.begin(params, for: caller) }
    Handler(Auth.Continue.self) { params, caller in try await self.goOn(params, for: caller) }
    Handler(Auth.Resend.self) { params, caller in
      Auth.Progress(state: try await self.give(.resend, to: params.flowID, of: caller))
    }
    Handler(Auth.Cancel.self) { params, caller in
      self.flows.remove(params.flowID, of: caller)
      return Auth.Progress(state: Auth.State(.cancelled))
    }
    Handler(Auth.SignOut.self) { params, caller in
      let broker = try await self.identities.broker(for: caller.identity.containingApp)
      _ = try await translatingAuthErrors { () async throws(AuthError) in try await broker.signOut(params.account) }
      return Empty()
    }
  }

  /// Renews tokens before they end.
  public func run() async throws { await identities.run() }

  /// Ends the flows that the process had begun.
  public func callerDidExit(_ caller: Caller) async {
    flows.removeAll(of: caller)
    questions.forget(caller)
    rules.forget(caller)
  }

  // MARK: Calls

  private func fetch(_ params: Auth.Fetch, for caller: Caller) async throws -> Answer<Network.Fetch.Result> {
    let slot = try slots.enter(caller.identity.id)
    let hold = caller.hold()
    defer { withExtendedLifetime((slot, hold)) {} }
    let scopes = try AuthRules.scopes(params.scopes)
    let entries = AuthRules(caller.identity)
    let rules = try entries.servers(for: scopes, avoiding: localServers)
    if let name = params.headers?.keys.first(where: { $0.lowercased() == "authorization" }) {
      throw ExtensionError(
        .invalidParams, "The header field \(name) is the host's own: it holds the token.",
        recovery: "Leave the field out.")
    }
    let plan = try FetchPlan(params.request, rules: rules) { name throws(ExtensionError) in
      try caller.take(name, limit: Network.fileLimit, on: hold)
    }
    let broker = try await identities.broker(for: caller.identity.containingApp)
    let run = try FetchRun(plan, client: client, for: caller, holds: [slot, hold])
    do {
      let limit = entries.limit(for: scopes, at: HTTPOrigin(url: plan.request.url))
      let received = try await broker.call(scopes: scopes.names, account: params.account, limit: limit) { token in
        try await run.attempt(token: token.secret.revealed())
      } verdict: {
        Self.verdict($0, plan)
      }
      return try run.answer(received)
    } catch {
      run.discard()
      throw Self.translated(error)
    }
  }

  /// Returns what an API's answer says about the token, as far as its server has received it.
  private static func verdict(_ received: FetchRun.Received, _ plan: FetchPlan) -> CallVerdict {
    let response = received.response
    guard let asked = HTTPOrigin(url: plan.request.url), HTTPOrigin(url: response.url) == asked else { return .final }
    return CallVerdict(status: response.status, headers: response.headers, body: received.evidence)
  }

  private func token(_ params: Auth.Token, for caller: Caller) async throws -> Auth.Token.Result {
    let wanted = try rules[caller].wanted(params.scopes)
    let broker = try await identities.broker(for: caller.identity.containingApp)
    let token = try await translatingAuthErrors { () async throws(AuthError) in
      try await broker.token(
        scopes: wanted.scopes.names, account: params.account, forceRefresh: params.forceRefresh ?? false,
        claims: params.claims, limit: wanted.limit)
    }
    return Auth.Token.Result(
      accessToken: SecretText(token.secret.revealed()), scopes: token.scopes.names, expiresAt: token.expiresAt,
      account: token.account)
  }

  func accounts(of app: String) async throws(ExtensionError) -> [Auth.Account] {
    let broker = try await identities.broker(for: app)
    return try await translatingAuthErrors { () async throws(AuthError) in try await broker.accounts() }
      .map(Auth.Account.init)
  }

  private static func translated(_ error: any Error) -> any Error {
    (error as? AuthError).map { ExtensionError($0) } ?? error
  }
}

extension Auth.Account {
  init(_ account: Account) {
    self.init(id: account.id, username: account.username, name: account.name, signedIn: account.signedIn)
  }
}

extension Auth.Fetch {
  /// Without what the token is for.
  var request: Network.Fetch {
    Network.Fetch(
      url: url, method: method, headers: headers, body: body, timeoutMs: timeoutMs, maxBytes: maxBytes,
      delivery: delivery, requestID: requestID)
  }
}
