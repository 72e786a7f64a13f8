import Cryptography
import EventLoop
import HTTPServer
import JSON
import Synchronization
import Text

/// The state of the identity server, and its answers to requests.
actor IdentityService {
  nonisolated let configuration: IdentityServer.Configuration
  nonisolated let outbox: CodeOutbox
  nonisolated let faults: IdentityFaults
  nonisolated let signing: TokenSigner
  /// The address of the server, set when the server starts to listen.
  private nonisolated let base: Mutex<String>
  nonisolated let servesOutbox: Bool

  var users: UserDirectory
  var flows: ExpiringTable<Flow>
  var refreshTokens: ExpiringTable<RefreshRecord>
  var authorizationRequests: ExpiringTable<AuthorizationRequest>
  var authorizationCodes: ExpiringTable<AuthorizationCode>
  var devices: ExpiringTable<DeviceRequest>
  /// The secret of a device by what its user types.
  var deviceCodes: ExpiringTable<String>
  /// The tokens behind those that say nothing.
  var opaqueTokens: ExpiringTable<String>
  /// The sign-ins and tokens that were revoked before they expired.
  var revoked: ExpiringTable<Bool>
  /// Wrong passwords, by the name of the account.
  var failures: AttemptLimiter
  /// Wrong user codes of devices, by the address that they came from.
  var codeFailures: AttemptLimiter
  var sendings: AttemptLimiter
  /// A password that nobody has: names without an account, and accounts without a password, take as long as others.
  private let decoy: PasswordHash?
  /// The accounts whose password is being checked now, one check at a time, and below the requests that wait for it.
  private var checked: Set<String> = []
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  init(
    _ configuration: IdentityServer.Configuration, outbox: CodeOutbox, faults: IdentityFaults
  ) throws(IdentityServerError) {
    var configuration = configuration
    configuration.lifetimes = configuration.lifetimes.bounded
    configuration.limits.window = min(max(configuration.limits.window, 1), IdentityServer.Lifetimes.longest)
    if let path = configuration.clientsFile { configuration.clients += try ClientsFile.read(path) }
    guard Set(configuration.clients.map { $0.id.lowercased() }).count == configuration.clients.count else {
      throw IdentityServerError("There are two clients with one id.", recovery: "Give each client an id of its own.")
    }
    self.configuration = configuration
    self.outbox = outbox
    self.faults = faults
    signing = try TokenSigner(keyFile: configuration.signingKeyFile)
    let scheme = configuration.certificate == nil ? "http" : "https"
    base = Mutex(configuration.base ?? "\(scheme)://\(configuration.host):\(configuration.port)")
    servesOutbox = ["127.0.0.1", "::1"].contains(configuration.host)
    users = try UserDirectory(configuration)
    decoy = try? PasswordHash(Hexadecimal.text(for: configuration.random(32)), cost: configuration.scryptCost)
    let limits = configuration.limits
    flows = ExpiringTable(limit: limits.entries)
    refreshTokens = ExpiringTable(limit: limits.entries)
    authorizationRequests = ExpiringTable(limit: limits.entries)
    authorizationCodes = ExpiringTable(limit: limits.entries)
    devices = ExpiringTable(limit: limits.entries)
    deviceCodes = ExpiringTable(limit: limits.entries)
    opaqueTokens = ExpiringTable(limit: limits.entries)
    revoked = ExpiringTable(limit: limits.entries)
    failures = AttemptLimiter(most: limits.failures, seconds: limits.window, limit: limits.entries)
    codeFailures = AttemptLimiter(most: limits.failures, seconds: limits.window, limit: limits.entries)
    sendings = AttemptLimiter(most: limits.codes, seconds: limits.window, limit: limits.entries)
  }

  /// The port is open.
  nonisolated func begin(at address: ServerAddress) {
    if configuration.base == nil { base.withLock { $0 = address.url } }
  }

  func put(_ user: IdentityUser) {
    var user = user
    if user.id.isEmpty { user.id = users[user.username]?.id ?? identifier() }
    users.put(user)
  }

  // MARK: Requests

  nonisolated func answer(to request: ServerRequest) async -> ServerResponse {
    let call = call(request)
    let fault = faults.next(for: request.path)
    let answer: ServerResponse
    switch fault {
    case .slow(let time):
      try? await Task.sleep(for: time)
      answer = await reply(to: call)
    case .droppedAfter:
      _ = await reply(to: call)
      answer = .dropped
    case .halved:
      var whole = await reply(to: call)
      whole.bytesBeforeEnd = whole.body.count / 2
      answer = whole
    case let fault?: answer = fault.response(to: call)
    case nil: answer = await reply(to: call)
    }
    configuration.log("\(request.method) \(call.path.isEmpty ? "/" : call.path.prefix(80)) \(answer.status)")
    return answer
  }

  private func reply(to call: Call) async -> ServerResponse {
    do throws(OAuthFailure) {
      return try await route(call)
    } catch {
      return error.response(to: call)
    }
  }

  private nonisolated func call(_ request: ServerRequest) -> Call {
    let base = base.withLock { $0 }
    var parts = request.path.pathParts(keepsEmpty: true).dropFirst()
    let names = [configuration.tenant, "\(configuration.tenant).onmicrosoft.com", configuration.tenantID]
    let isTenant = parts.first.map { name in names.contains { $0.lowercased() == name.lowercased() } } ?? false
    if isTenant { parts = parts.dropFirst() }
    let asked = request.header("client-request-id")
    return Call(
      request: request, path: parts.joined(separator: "/"), realm: isTenant ? .tenant : .root, base: base,
      issuer: isTenant ? "\(base)/\(configuration.tenantID)/v2.0" : base, now: configuration.now(),
      traceID: GUID.text(configuration.random(16)),
      correlationID: asked.flatMap { GUID.isOne($0) ? $0 : nil } ?? GUID.text(configuration.random(16)))
  }

  // MARK: For all flows

  /// Returns a random secret of 32 bytes in base64url.
  func secret() -> String { Base64URL.encode(configuration.random(32)) }

  func identifier() -> String { GUID.text(configuration.random(16)) }

  func client(_ form: Form) throws(OAuthFailure) -> IdentityClient {
    let id = try form.required("client_id")
    guard let client = configuration.clients.first(where: { $0.id.lowercased() == id.lowercased() }) else {
      throw .unknownClient
    }
    return client
  }

  /// The client of a request to an endpoint at which clients prove themselves: by Basic authentication or in the form (RFC
  /// 6749, 2.3.1), where they have a secret.
  func client(_ call: Call, _ form: Form) throws(OAuthFailure) -> IdentityClient {
    let basic = try call.basicCredentials()
    guard basic == nil || form["client_secret"] == nil else {
      throw .badRequest("The request has two secrets of a client.")
    }
    let id: String
    if let basic { id = basic.id } else { id = try form.required("client_id") }
    guard form["client_id"].map({ $0.lowercased() == id.lowercased() }) ?? true,
      let client = configuration.clients.first(where: { $0.id.lowercased() == id.lowercased() })
    else { throw basic == nil ? .unknownClient : .badClientSecret }
    guard client.accepts(secret: basic?.secret ?? form["client_secret"]) else { throw .badClientSecret }
    return client
  }

  func scope(_ text: String?) throws(OAuthFailure) -> ScopeRequest {
    try ScopeRequest(text ?? "", resources: configuration.resources)
  }

  /// Whether a password is the user's. On a thread of its own, for it takes long on purpose; one check at a time for an
  /// account, so that many at a time are no way around the limit.
  ///
  /// - Throws: when there were too many wrong ones, and when this is one more.
  func check(password: String, of user: IdentityUser, at now: Int64) async throws(OAuthFailure) {
    let name = IdentityUser.key(user.username)
    await beginCheck(name)
    defer { endCheck(name) }
    if let seconds = failures.wait(name, at: now) { throw .locked(seconds) }
    // Another may have been set since the caller read the account, or may be while this one is checked.
    let known = users.user(id: user.id)?.password
    let hash = known ?? decoy
    let isRight =
      password.utf8.count <= 1_024
      ? await SystemThread.run(name: "scrypt") { hash?.matches(password) ?? false } : false
    guard isRight, known != nil, users.user(id: user.id)?.password == known else {
      failures.count(name, at: now)
      var failure = OAuthFailure.wrongPassword
      if faults.has(.emptyWrongPassword) {
        failure.status = 403
        failure.isEmpty = true
      }
      throw failure
    }
    failures.reset(name)
  }

  private func beginCheck(_ name: String) async {
    guard !checked.insert(name).inserted else { return }
    await withCheckedContinuation { continuation in
      if checked.insert(name).inserted {
        continuation.resume()
      } else {
        waiting[name, default: []].append(continuation)
      }
    }
  }

  /// The next one takes over, when there is one.
  private func endCheck(_ name: String) {
    guard var line = waiting[name] else {
      checked.remove(name)
      return
    }
    let next = line.removeFirst()
    waiting[name] = line.isEmpty ? nil : line
    next.resume()
  }

  /// Sends a one-time code.
  func send(to recipient: String, channel: String, purpose: String, at now: Int64) throws(OAuthFailure) -> Flow.Sent {
    let name = IdentityUser.key(recipient)
    if let seconds = sendings.wait(name, at: now) { throw .tooMany(seconds) }
    sendings.count(name, at: now)
    let length = min(max(configuration.codeLength, 4), 12)
    // A byte is below 250 nearly always: each digit has the same chance then.
    var digits = ""
    while digits.utf8.count < length {
      for byte in configuration.random(2 * length) where byte < 250 && digits.utf8.count < length {
        digits.append("\(byte % 10)")
      }
    }
    outbox.add(
      CodeOutbox.Message(recipient: recipient, channel: channel, code: digits, purpose: purpose, sentAt: now))
    return Flow.Sent(code: digits, expires: now + configuration.lifetimes.oneTimeCode)
  }

  /// Whether a code is the one that was sent; counts the try.
  func isRight(_ code: String, _ sent: inout Flow.Sent, at now: Int64) -> Bool {
    sent.tries += 1
    return sent.tries <= configuration.limits.triesOfCode && sent.expires > now
      && ConstantTime.isEqual(sent.code, code)
  }
}
