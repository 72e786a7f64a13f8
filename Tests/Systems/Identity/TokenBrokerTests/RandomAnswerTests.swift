import ConfigurationFiles
import HTTPClient
import JSON
import Testing

@testable import TokenBroker

/// Numbers that are the same in each run.
private struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

private let names = [
  "continuation_token", "challenge_type", "methods", "error", "error_codes", "suberror", "error_description", "status",
  "poll_interval", "access_token", "expires_in", "scope", "client_info", "id_token", "required_attributes", "interval",
  "code_length", "token_type", "refresh_token", "issuer", "token_endpoint",
]
private let values: [JSONValue] = [
  "ct", "oob", "password", "redirect", "preverified", "succeeded", "in_progress", "failed", "invalid_grant",
  "mfa_required", "registration_required", "attributes_required", "credential_required", "expired_token", "Bearer", "",
  "a.b.c", "AADSTS", "AADSTS99999999999999999999", .null, true, -1, 1e300, 0, 9_223_372_036_854_775_807, [], [:], ["a"],
  [55200], [["id": "m1"]], [["name": "city"]], .unsigned(.max), .string(String(repeating: "\u{1F600}", count: 300)),
]

private func reply(_ dice: inout Dice) -> ServerReply {
  var body: JSONObject = [:]
  for _ in 0..<Int.random(in: 0...6, using: &dice) {
    body[names.randomElement(using: &dice) ?? ""] = values.randomElement(using: &dice)
  }
  // Often enough to go on.
  if Int.random(in: 0..<4, using: &dice) > 0 { body["continuation_token"] = "ct" }
  if Int.random(in: 0..<4, using: &dice) > 1 { body["challenge_type"] = Bool.random(using: &dice) ? "oob" : "password" }
  if Int.random(in: 0..<4, using: &dice) == 0 { body["access_token"] = "at" }
  let text = JSONCoding.text(of: .object(body))
  var bytes = Array(text.utf8)
  if Int.random(in: 0..<8, using: &dice) == 0, !bytes.isEmpty {
    bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
  }
  let status = [200, 200, 200, 400, 400, 401, 403, 429, 500].randomElement(using: &dice) ?? 200
  return ServerReply(HTTPResponse(status: status, body: bytes, url: "https://s"))
}

@Suite(.timeLimit(.minutes(1)))
struct `Answers of any kind` {
  private static let inputs: [FlowInput] = [
    .code(Secret("1")), .resend, .password(Secret("p")), .newPassword(Secret("n")), .attributes(["city": "x"]),
    .method(id: "m1"), .register(id: "m1", contact: "x"),
  ]

  @Test func `leave a flow in a state that it has, and bring it to an end`() throws {
    let configuration = try IdentityConfiguration(authority: "https://h/t", clientID: "c", kind: .native)
    var dice = Dice(17)
    var ends: Set<String> = []
    for round in 0..<800 {
      let start = FlowStart(
        FlowKind.allCases[round % 3], username: "ann", password: round % 2 == 0 ? nil : Secret("p"))
      var machine = AuthFlowMachine(start, configuration: configuration)
      var effect = machine.begin()
      steps: for _ in 0..<400 {
        switch effect {
        case .send, .wait: effect = machine.receive(reply(&dice))
        case .keep:
          ends.insert("kept")
          break steps
        case .rest:
          let state = try #require(machine.state)
          ends.insert(state.wish)
          guard !state.isOver, let input = Self.inputs.randomElement(using: &dice) else { break steps }
          effect = (try? machine.submit(input)) ?? .rest
        }
      }
      #expect(machine.restarts <= AuthFlowMachine.mostRestarts && machine.polls <= AuthFlowMachine.mostPolls + 1)
    }
    #expect(ends.isSuperset(of: ["kept", "a code", "a password", "nothing more"]))
  }

  @Test func `are read as tokens, places, caches and verdicts, or refused`() throws {
    let configuration = try IdentityConfiguration(authority: "https://h/t", clientID: "c", kind: .openIDConnect)
    var dice = Dice(4711)
    var grants = 0
    for _ in 0..<1_500 {
      let reply = reply(&dice)
      if let grant = try? TokenGrant(reply, server: "s") {
        grants += 1
        var cache = UnifiedCache()
        let facts = AccountFacts(grant, username: "ann")
        let place = CachePlace(account: facts.homeAccountID, environment: "e", client: "c", realm: facts.realm ?? "")
        cache.signIn(grant, place: place, facts: facts, asked: .standard, replacing: true, now: 1_800_000_000)
        #expect(try UnifiedCache(json: cache.json) == cache)
      }
      _ = try? ServerMetadata(reply, configuration: configuration)
      let error = AuthError(ServerFailure(reply, hiding: []), purpose: .refresh, server: "s")
      #expect(error.message.utf8.count < 2_000)
      guard case .object(let object) = reply.body else { continue }
      let body = Array(JSONCoding.text(of: .object(["AccessToken": ["k": .object(object)]])).utf8)
      _ = try? UnifiedCache(json: body)
      _ = CallVerdict(status: reply.status, headers: ["WWW-Authenticate": "Bearer \(object)"], body: body)
    }
    #expect(grants > 10)
  }

  @Test func `to a challenge end, however they are written`() {
    for text in ["Bearer", "Bearer =", "Bearer ====", "Bearer error=", "Bearer error=\"", "bearer a=b=c,error=\"x"] {
      _ = BearerChallenge(text)
    }
    #expect(BearerChallenge(String(repeating: "Bearer a=\"b\", ", count: 10_000)).error == nil)
    #expect(BearerChallenge("Bearer a=\"1\", error = \"invalid_token\"").error == "invalid_token")
  }
}
