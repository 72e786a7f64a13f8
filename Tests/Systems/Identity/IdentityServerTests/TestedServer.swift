import Cryptography
import HTTPServer
import JSON
import Synchronization
import TestSupport
import WebTokens

@testable import IdentityServer

/// A server of a test's own, with a clock that the test moves.
final class TestedServer: Sendable {
  static let password = "Correct-Horse-7"
  static let ada = "ada@example.com"
  /// Without a password.
  static let bob = "bob@example.com"
  /// With a second factor, by mail and by message.
  static let eve = "eve@example.com"
  /// Who has to register a second factor.
  static let kim = "kim@example.com"
  static let client = IdentityClient.native.id
  static let first = "api://11112222-bbbb-3333-cccc-4444dddd5555"
  static let second = "api://22223333-cccc-4444-dddd-5555eeee6666"
  static let cheap = Scrypt.Cost(logarithm: 2, blocks: 1, lanes: 1)

  /// One key for all, for making one takes long.
  private static let key = Result { () -> (TemporaryDirectory, String) in
    let directory = try TemporaryDirectory()
    return (directory, try directory.write(try RSAPrivateKey.generate().pem(), to: "key.pem"))
  }

  let server: IdentityServer

  static func users() throws -> [IdentityUser] {
    let hash = try PasswordHash(password, cost: cheap, salt: Array(1...16))
    var ada = IdentityUser(username: Self.ada, password: hash)
    ada.name = "Ada"
    var eve = IdentityUser(username: Self.eve, password: hash)
    eve.needsSecondFactor = true
    eve.methods = [
      .init(id: "email-1", channel: "email", target: Self.eve),
      .init(id: "sms-1", channel: "sms", target: "+4915112345"),
    ]
    var kim = IdentityUser(username: Self.kim, password: hash)
    kim.needsSecondFactor = true
    var browser = IdentityUser(username: "browser@example.com", password: hash)
    browser.needsBrowser = true
    var stale = IdentityUser(username: "stale@example.com", password: hash)
    stale.mustResetPassword = true
    return [ada, IdentityUser(username: Self.bob), eve, kim, browser, stale]
  }

  init(_ change: (inout IdentityServer.Configuration) -> Void = { _ in }) throws {
    var configuration = IdentityServer.Configuration()
    configuration.users = try Self.users()
    configuration.scryptCost = Self.cheap
    configuration.signingKeyFile = try Self.key.get().1
    let clock = Clock()
    configuration.now = { clock.now }
    change(&configuration)
    self.clock = clock
    server = try IdentityServer(configuration: configuration)
  }

  final class Clock: Sendable {
    private let time = Mutex<Int64>(1_800_000_000)
    var now: Int64 { time.withLock { $0 } }
    func advance(_ seconds: Int64) { time.withLock { $0 += seconds } }
  }

  let clock: Clock

  func post(
    _ path: String, _ fields: KeyValuePairs<String, String>, correlation: String? = nil, from client: String = ""
  ) async -> Answer {
    await send("POST", path, body: Self.form(fields), correlation: correlation, from: client)
  }

  func send(
    _ method: String, _ target: String, headers: [ServerField] = [], body: String = "", correlation: String? = nil,
    from client: String = ""
  ) async -> Answer {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var fields = headers
    if method == "POST", !headers.contains(where: { $0.name == "Content-Type" }) {
      fields.append(ServerField("Content-Type", "application/x-www-form-urlencoded"))
    }
    if let correlation { fields.append(ServerField("client-request-id", correlation)) }
    var request = ServerRequest(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: fields, body: Array(body.utf8))
    request.client = client
    return Answer(await server.answer(to: request))
  }

  func get(_ target: String, token: String? = nil) async -> Answer {
    await send("GET", target, headers: token.map { [ServerField("Authorization", "Bearer \($0)")] } ?? [])
  }

  static func form(_ fields: KeyValuePairs<String, String>) -> String {
    fields.map { "\($0.key)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
  }

  // MARK: What many tests begin with

  /// The token before the password.
  func passwordAsked(_ username: String = ada, capabilities: String = "mfa_required registration_required") async
    -> String
  {
    let begun = await post(
      "/local/oauth2/v2.0/initiate",
      [
        "client_id": Self.client, "username": username, "challenge_type": "password oob redirect",
        "capabilities": capabilities,
      ])
    let asked = await challenge(begun.continuation)
    return asked.continuation
  }

  func challenge(_ token: String, id: String? = nil) async -> Answer {
    let chosen = id.map { "&id=\($0)" } ?? ""
    return await send(
      "POST", "/local/oauth2/v2.0/challenge",
      body: Self.form([
        "client_id": Self.client, "continuation_token": token, "challenge_type": "password oob redirect",
      ]) + chosen)
  }

  func token(_ grant: String, _ name: String, _ value: String, _ continuation: String, scope: String = "") async
    -> Answer
  {
    await post(
      "/local/oauth2/v2.0/token",
      [
        "client_id": Self.client, "grant_type": grant, name: value, "continuation_token": continuation,
        "scope": "openid profile offline_access \(scope)", "client_info": "1",
      ])
  }

  /// A sign-in with a password.
  func signIn(_ username: String = ada, scope: String = "\(first)/Items.Read") async -> Answer {
    await token("password", "password", Self.password, await passwordAsked(username), scope: scope)
  }

  /// The answer to a new password, which is proven by a code.
  func reset(_ username: String, to password: String) async -> Answer {
    let path = "/local/resetpassword/v1.0"
    let begun = await post(
      "\(path)/start", ["client_id": Self.client, "username": username, "challenge_type": "oob redirect"])
    let sent = await post(
      "\(path)/challenge",
      ["client_id": Self.client, "continuation_token": begun.continuation, "challenge_type": "oob redirect"])
    let proven = await post(
      "\(path)/continue",
      [
        "client_id": Self.client, "continuation_token": sent.continuation, "grant_type": "oob",
        "oob": server.outbox.code(for: username) ?? "",
      ])
    return await post(
      "\(path)/submit",
      ["client_id": Self.client, "continuation_token": proven.continuation, "new_password": password])
  }

  func refresh(_ token: String, scope: String? = nil) async -> Answer {
    let more = scope.map { "&scope=\(PercentEncoding.encoded($0))" } ?? ""
    return await send(
      "POST", "/local/oauth2/v2.0/token",
      body: Self.form(["client_id": Self.client, "grant_type": "refresh_token", "refresh_token": token]) + more)
  }
}

/// What the server answered.
struct Answer: Sendable {
  let response: ServerResponse
  let json: JSONValue

  init(_ response: ServerResponse) {
    self.response = response
    json = (try? JSONCoding.parse(response.body)) ?? .null
  }

  var status: Int { response.status }
  var text: String { String(decoding: response.body, as: UTF8.self) }
  subscript(key: String) -> String { json[key]?.stringValue ?? "" }
  var continuation: String { self["continuation_token"] }
  var codes: [Int64] { json["error_codes"]?.arrayValue?.compactMap(\.integerValue) ?? [] }
  /// `error`, the first code, and the suberror when there is one.
  var row: String { "\(self["error"]) \(codes.first ?? 0)\(self["suberror"].isEmpty ? "" : " \(self["suberror"])")" }

  /// The claims of a token in it.
  func claims(_ name: String) -> JSONValue {
    guard let token = try? CompactToken(self[name]) else { return .null }
    return (try? JSONCoding.parse(token.unverifiedPayload)) ?? .null
  }
}
