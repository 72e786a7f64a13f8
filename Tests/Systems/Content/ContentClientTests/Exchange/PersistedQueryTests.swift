import ContentClient
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The URL of a persisted query` {
  static let base = "/graphql/execute.json/wknd-shared/adventures-all"

  static let vectors: [(JSONObject, String)] = [
    ([:], ""),
    (
      ["imageWidth": 50, "sort": "price DESC, title ASC", "path": "/content/dam/a.b"],
      "%3BimageWidth%3D50%3Bsort%3Dprice%20DESC%2C%20title%20ASC%3Bpath%3D%2Fcontent%2Fdam%2Fa.b;"
    ),
    (["filter": ["a": [1, true, .null]]], "%3Bfilter%3D%7B%22a%22%3A%5B1%2Ctrue%2Cnull%5D%7D;"),
    (["v": "a&b"], "%3Bv%3Da%26b;"),
    (["v": "d+e"], "%3Bv%3Dd%2Be;"),
    (["v": "f#g%h é"], "%3Bv%3Df%23g%25h%20%C3%A9;"),
    (["v": "!*'()-_.~"], "%3Bv%3D!*'()-_.~;"),
    (["v": "a=b"], "%3Bv%3Da%3Db;"),
    (["v": "a?b/c:d"], "%3Bv%3Da%3Fb%2Fc%3Ad;"),
    (["v": ""], "%3Bv%3D;"),
    (["v": .null], "%3Bv%3Dnull;"),
    (["v": true, "w": false], "%3Bv%3Dtrue%3Bw%3Dfalse;"),
    (["v": ["x": 5000.0]], "%3Bv%3D%7B%22x%22%3A5000%7D;"),
    (["v": "😀"], "%3Bv%3D%F0%9F%98%80;"),
  ]

  @Test(arguments: vectors) func `is that of the official client`(variables: JSONObject, suffix: String) throws {
    let query = try PersistedQuery("wknd-shared/adventures-all", variables: variables)
    #expect(query.target == Self.base + suffix)
    #expect(query.endpoint == Self.base)
    #expect(query.fitsURL)
  }

  @Test(arguments: [
    (0.1, "0.1"), (-0.0, "0"), (100.0, "100"), (1234.5, "1234.5"), (-2.5, "-2.5"), (1e20, "100000000000000000000"),
    (1e21, "1e%2B21"), (1.5e300, "1.5e%2B300"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-9, "1.25e-9"),
    (123456789012345680.0, "123456789012345680"), (Double.leastNonzeroMagnitude, "5e-324"), (0.00123, "0.00123"),
  ])
  func `writes numbers as JavaScript does`(number: Double, text: String) throws {
    let query = try PersistedQuery("a/b", variables: ["n": .double(number)])
    #expect(query.target == "/graphql/execute.json/a/b%3Bn%3D\(text);")
  }

  @Test func `keeps the variables in their order`() throws {
    let names = ["zebra", "apple", "mango", "kiwi", "beta", "alpha"]
    let query = try PersistedQuery("a/b", variables: JSONObject(names.map { ($0, JSONValue.integer(1)) }))
    #expect(query.target == "/graphql/execute.json/a/b" + names.map { "%3B\($0)%3D1" }.joined() + ";")
  }

  @Test(arguments: [["v": "a;b"], ["v": ["x": "a;b"]]] as [JSONObject])
  func `does not carry a value with a semicolon`(variables: JSONObject) throws {
    #expect(try !PersistedQuery("a/b", variables: variables).fitsURL)
  }

  @Test func `does not carry a name with a NUL`() throws {
    let query = try PersistedQuery("a/b", variables: ["v": 1, "n\u{0}": 2])
    #expect(query.obstacle(to: query.target) == .nul(variable: "n\u{0}"))
  }

  @Test func `has one slash before a path that begins with one`() throws {
    #expect(try PersistedQuery("/a/b").target == "/graphql/execute.json/a/b")
  }

  @Test func `encodes what a segment must not hold`() throws {
    #expect(try PersistedQuery("a b/c?d#e%").target == "/graphql/execute.json/a%20b/c%3Fd%23e%25")
  }

  @Test(arguments: ["", "/", "a", "a/", "/a", "a//b", "a/b/c", "a/..", "./b", "a/b\n", "//a/b"])
  func `is refused for what is no path`(path: String) {
    let error = #expect(throws: ContentError.self) { try PersistedQuery(path) }
    #expect(error?.kind == .invalidQuery)
    #expect(error?.recovery.contains("wknd-shared/adventures-all") == true)
  }

  @Test(arguments: ["", "a;b", "a=b"])
  func `is refused for a name that would become another variable`(name: String) {
    let variables = JSONObject([(name, JSONValue.null)])
    let error = #expect(throws: ContentError.self) { try PersistedQuery("a/b", variables: variables) }
    #expect(error?.kind == .invalidQuery)
  }
}
