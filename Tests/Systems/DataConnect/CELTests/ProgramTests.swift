import CEL
import JSON
import Testing

@Suite struct `A program` {
  private static let names = ["auth", "vars", "request", "response", "this"]
  private static let signedIn: JSONObject = [
    "auth": [
      "uid": "u1", "token": ["email_verified": true, "firebase": ["sign_in_provider": "password"], "role": "editor"],
    ],
    "vars": ["id": "1", "role": "A"], "request": ["operationName": "Op"], "response": ["step1": ["id": "2"]],
    "this": [["role": "admin"]],
  ]

  @Test(arguments: [
    "auth.uid != nil", "auth.uid != null && auth.token.email_verified", "has(vars.id)", "vars.role in ['A', 'B']",
    "this.exists(p, p.role == 'admin')", "!(this in [null, []])", "response.step1.id == '2'",
    "auth.token.firebase.sign_in_provider != 'anonymous'", "request.operationName.endsWith('Op')", "this.size() >= 1",
    "auth.token.role == 'editor' || auth.token.admin == true", "!has(vars.title)",
  ])
  func `that real projects have holds for who is signed in`(text: String) throws {
    var bindings: [String: CELValue] = [:]
    for (name, value) in Self.signedIn { bindings[name] = CELValue(value) }
    #expect(try CELProgram(text, names: Self.names).evaluate(bindings) == .bool(true))
  }

  @Test(arguments: ["auth.token.admin", "auth.token.admin == true", "auth.token.admin != false", "!auth.token.admin"])
  func `fails at a claim that is missing`(text: String) {
    #expect(failure(text, Self.signedIn) != nil)
    #expect(failure(text, ["auth": .null]) != nil)
  }

  @Test(arguments: [
    ("auth.token['a'].b == 1 ? vars : this.x", [["auth", "token", "a", "b"], ["vars"], ["this", "x"]]),
    ("request['auth'].uid", [["request", "auth", "uid"]]),
    ("request[vars.name]['uid']", [["request", nil, "uid"], ["vars", "name"]]),
    ("'it' == auth.uid // it's\n || has(request.auth)", [["auth", "uid"], ["request", "auth"]]),
    ("request['\\u0061uth'] == 'auth'", [["request", "auth"]]),
    ("[auth][0].uid + {'a': response}.a.b", [["auth"], ["response"]]),
    ("['auth'].exists(k, request[k].uid == 'x')", [["request", nil, "uid"], ["k"]]),
  ])
  func `tells what it asks for, however that is written`(text: String, paths: [[String?]]) throws {
    #expect(try CELProgram(text).paths == paths)
  }

  @Test(arguments: [
    ("atuh.uid != null", 0, "There is no name atuh. Did you mean auth?"),
    ("auth.uid.endWith('a')", 9, "There is no function endWith. Did you mean endsWith?"),
    ("'é' + x", 7, "There is no name x. There are auth, vars, request, response, this."),
    ("1 +", 3, "The expression ends where a value should stand."),
    ("1 2", 2, "There is a number where an operator or the end should stand."),
    ("(1", 2, "There is the end where ) should stand."),
    ("vars.a @ 2", 7, "@ means nothing here."),
    ("", 0, "The expression ends where a value should stand."),
    ("for", 0, "for is a word of the language, and no name."),
    ("[1].all(x, y)", 11, "There is no name y. Did you mean x?"),
    ("vars.", 5, "There is the end where a name should stand."),
    ("1abc", 0, "There is no such number, or 64 bits do not hold it."),
  ])
  func `that is wrong is refused with its place`(text: String, offset: Int, message: String) {
    #expect(failure(text, names: Self.names) == CELError(message, at: offset))
  }

  @Test func `knows the variables of its macros`() throws {
    _ = try CELProgram("[1].all(x, [x].exists(y, x == y)) && type(1) == int", names: [])
    #expect(failure("[1].all(x, true) && x", names: []) != nil)
  }

  @Test func `has so many levels and bytes at most`() throws {
    let levels = CELProgram.depth
    _ = try CELProgram(String(repeating: "(", count: levels - 1) + "1" + String(repeating: ")", count: levels - 1))
    for text in [
      String(repeating: "(", count: 5_000), String(repeating: "[", count: 5_000),
      String(repeating: "!", count: 16_000) + "!",
      String(repeating: "1 + ", count: levels) + "1", "a" + String(repeating: ".a", count: levels),
      "a" + String(repeating: "[0]", count: levels), String(repeating: "{1:", count: 5_000),
      String(repeating: "true ? 1 : ", count: levels) + "1", String(repeating: " ", count: 20_000),
      String(repeating: "-(", count: levels + 1), String(repeating: "a.all(x,", count: levels + 1),
    ] { #expect(throws: CELError.self) { try CELProgram(text) } }
    // A chain is one level.
    let chain = Array(repeating: "true", count: 500).joined(separator: " && ")
    #expect(try value(chain) == true)
  }

  @Test func `takes so many steps at most, which no operator goes on after`() throws {
    let list = JSONValue.array((0..<1_000).map { JSONValue($0) })
    let text = "true || vars.list.all(x, vars.list.all(y, x >= y || true))"
    #expect(try value(text, ["vars": ["list": list]]) == true)
    let costly = "vars.list.all(x, vars.list.all(y, x >= y || true)) || true"
    let error = failure(costly, ["vars": ["list": list]])
    #expect(error?.message == "The expression takes more than 100000 steps.")
    let long = JSONValue.string(String(repeating: "a", count: 60_000))
    #expect(failure("vars.long + vars.long == ''", ["vars": ["long": long]]) != nil)
    #expect(failure("vars.long.matches('(a|b|c|d|e|f|g)*(a|b|c|d|e|f|g)*x')", ["vars": ["long": long]]) != nil)
    // A search costs what it looks at.
    #expect(try value("vars.long.contains('b')", ["vars": ["long": long]]) == false)
    #expect(failure("vars.long.contains('b') || vars.long.contains('c')", ["vars": ["long": long]]) != nil)
    #expect(try value("1 + 1", cost: 4) == 2)
    #expect(throws: CELError.self) { try value("1 + 1", cost: 3) }
    // Kept once, and yet more than there is space for.
    let doubled = "[1]" + String(repeating: ".map(x, [x, x])", count: 40)
    #expect(failure(doubled) != nil)
  }

  @Test(arguments: ["", "b"]) func `pays for each byte that a comparison looks at`(kind: String) throws {
    func least(_ count: Int) throws -> Int {
      let literal = "\(kind)'\(String(repeating: "x", count: count))'"
      return try #require((1...2_000).first { (try? value("\(literal) == \(literal)", cost: $0)) != nil })
    }
    #expect(try least(1_001) - least(1) == 1_000)
  }

  @Test func `tells values in JSON from others`() throws {
    let json: JSONValue = ["a": [1, 1.5, "x", true, .null], "b": [:], "c": JSONValue(UInt64.max)]
    #expect(CELValue(json).json == json)
    #expect(try value("timestamp('2026-01-01T00:00:00.120Z')") == "2026-01-01T00:00:00.12Z")
    #expect(
      try value("[duration('90s'), -1.0 / 0.0, {2: b'a', true: int}]") == [
        "90s", "-Infinity", ["2": "YQ==", "true": "int"],
      ])
  }
}
