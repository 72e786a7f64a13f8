import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A server in a manifest` {
  @Test(arguments: [
    ("api.example.com", "api.example.com"), ("API.Example.COM", "api.example.com"),
    ("*.example.org:8443", "*.example.org:8443"), ("http://printer.local", "http://printer.local"),
    ("https://example.com:444", "https://example.com:444"), ("127.0.0.1:*", "127.0.0.1:*"), ("[::1]:80", "[::1]:80"),
    ("example.com:1", "example.com:1"), ("example.com:65535", "example.com:65535"), ("http://a:*", "http://a:*"),
    ("localhost", "localhost"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
  ])
  func `is read`(text: String, canonical: String) {
    #expect(NetworkServer(text)?.description == canonical)
  }

  @Test(arguments: [
    "", "*", "*.com", "*.*.example.com", "a.*.com", "ex ample.com", "example.com/path", "example.com:0",
    "example.com:65536", "example.com:-1", "example.com:+80", "example.com:http", "example.com:", "ftp://example.com",
    "file:///etc", "user@example.com", "-a.example", "a..example", "bücher.example", "[::1", "[]", "[127.0.0.1]",
    "example.com\n", "*.1.2", "http://", "https://http://a.example", "http://https://a.example", ".example.com",
    "example.com.", "[::1]x80", "[::1]080", "[::1]*",
  ])
  func `is refused`(text: String) {
    #expect(NetworkServer(text) == nil)
  }

  @Test func `has labels of 63 bytes and 300 bytes in all at most`() {
    let label = String(repeating: "a", count: 63)
    #expect(NetworkServer("\(label).b")?.host == "\(label).b" && NetworkServer("a\(label).b") == nil)
    let most = Array(repeating: String(repeating: "a", count: 59), count: 5).joined(separator: ".")
    #expect(most.utf8.count == 299)
    #expect(NetworkServer("b\(most)")?.host == "b\(most)" && NetworkServer("bb\(most)") == nil)
  }

  @Test(arguments: [
    ("localhost", true), ("[::1]", true), ("127.0.0.1", true), ("127.1", true), ("128.0.0.1", false),
    ("127.0.0.1a", false), ("localhost.example", false), ("[::2]", false), ("12.0.0.1", false), ("127", false),
  ])
  func `is this machine by its own names only`(host: String, isThis: Bool) {
    #expect(NetworkServer.isThisMachine(host) == isThis)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var entry: String
    var scheme: String
    var host: String
    var port: Int
    var isAllowed: Bool
    init(_ entry: String, _ scheme: String, _ host: String, _ port: Int, _ isAllowed: Bool) {
      (self.entry, self.scheme, self.host, self.port, self.isAllowed) = (entry, scheme, host, port, isAllowed)
    }
    var testDescription: String { "\(entry) \(scheme)://\(host):\(port)" }
  }

  @Test(arguments: [
    Case("example.com", "https", "example.com", 443, true), Case("example.com", "http", "example.com", 80, false),
    Case("example.com", "https", "example.com", 8443, false), Case("example.com", "https", "a.example.com", 443, false),
    Case("example.com", "https", "example.com.evil.net", 443, false),
    Case("example.com", "https", "notexample.com", 443, false),
    Case("example.com", "https", "example.com.", 443, false),
    Case("*.example.com", "https", "a.example.com", 443, true),
    Case("*.example.com", "https", "a.b.example.com", 443, true),
    Case("*.example.com", "https", "example.com", 443, false),
    Case("*.example.com", "https", ".example.com", 443, false),
    Case("*.example.com", "https", "badexample.com", 443, false),
    Case("http://example.com", "http", "example.com", 80, true),
    Case("http://example.com", "https", "example.com", 443, false),
    Case("example.com:*", "https", "example.com", 9, true), Case("example.com:*", "http", "example.com", 9, false),
    Case("127.0.0.1:*", "http", "127.0.0.1", 4503, true), Case("127.0.0.1:*", "http", "127.0.0.2", 4503, false),
    Case("localhost", "http", "localhost", 80, true), Case("localhost", "https", "localhost", 443, true),
    Case("localhost", "http", "localhost", 8080, false), Case("[::1]:*", "http", "[::1]", 7, true),
    Case("127.0.0.1.example:*", "http", "127.0.0.1.example", 7, false),
  ])
  func `stands for exactly what it says`(test: Case) throws {
    let entry = try #require(NetworkServer(test.entry))
    #expect(entry.allows(scheme: test.scheme, host: test.host, port: test.port) == test.isAllowed)
  }

  private func validation(_ annex: PropertyListValue) -> ManifestValidation {
    ManifestValidation([
      "CFBundleIdentifier": "com.example.test.keys", "CFBundleExecutable": "Keys", "CFBundlePackageType": "XPC!",
      "CFBundleVersion": "1", "Annex": annex,
      "NSExtension": [
        "NSExtensionPointIdentifier": "com.example.points.clock",
        "NSExtensionAttributes": ["Listens": true],
      ],
    ])
  }

  @Test func `is part of what the manifest asks the user for`() throws {
    let annex: PropertyListValue = [
      "Network": ["b.example", "a.example", "b.example"], "Entitlements": ["jit", "content"],
    ]
    let manifest = try #require(validation(annex).manifest)
    #expect(
      manifest.askedPermissions == [
        AskedPermission("network", scope: ["b.example", "a.example"]), AskedPermission("open-access"),
        AskedPermission("jit"),
      ])
  }

  @Test func `that is wrong is an error with its place`() {
    let problems = validation(["Network": ["a.example", "https://b.example/path"]]).problems
    #expect(problems.map(\.keyPath) == ["Annex.Network[1]"])
    #expect(problems.first?.severity == .error)
    #expect(validation(["Network": "a.example"]).manifest == nil)
  }
}
