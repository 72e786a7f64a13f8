import CommandLineTool
import CommandRuntime
import ExtensionHosting
import Glibc
import HTTP
import HTTPClient
import HostServices
import Testing
import TokenBroker

@testable import FeatureCommands
@testable import IdentityServices

/// The service of sign-ins that commands give their host.
@Suite(.timeLimit(.minutes(1)))
struct `The sign-ins of a tool` {
  @Test func `lead no call to a server of the tool that its user did not open for extensions`() throws {
    let stage = try FeatureStage(AuthCommand.command)
    let invocation = try stage.invocation("accounts")
    let state = try invocation.state()
    var services = StandardServices(state: state, registry: ExtensionRegistry(RegistrySources()))
    try AuthCommands.prepare(&services, for: invocation)
    let host = try services.makeHost()
    let localServers = try #require(host.service(AuthService.self).localServers)
    #expect(localServers.servers(atPort: 9_399).isEmpty)
    let entry = LocalServers.Entry(name: "data", host: "127.0.0.1", port: 9_399, admitsFetches: false)
    try LocalServers(state).add(entry)
    #expect(localServers.servers(atPort: 9_399) == [entry])
  }
}

/// The key that a command keeps its tokens with.
@Suite(.timeLimit(.minutes(1)))
struct `The key of a command line` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(AuthCommand.command) }

  private func key(_ words: String..., variable: String? = nil) throws -> CacheKeySource {
    let environment = variable.map { [CacheKeySource.variable: $0] } ?? [:]
    return try AuthPlace.key(try stage.invocation(["accounts"] + words, environment: environment))
  }

  @Test func `is in the file of the option, else of the environment, else beside the tokens`() throws {
    #expect(try key() == .besideCache)
    #expect(try key(variable: "") == .besideCache)
    #expect(try key(variable: "/a") == .file("/a"))
    #expect(try key("--cache-key-file", "/b", variable: "/a") == .file("/b"))
  }

  @Test func `is what a descriptor has, and no more than that`() throws {
    func key(of bytes: [UInt8]) throws -> CacheKeySource {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (reader, writer) = (ends[0], ends[1])
      defer { close(reader) }
      let count = write(writer, bytes, bytes.count)
      close(writer)
      try #require(count == bytes.count)
      return try self.key("--cache-key-file", "/b", "--cache-key-fd", "\(reader)", variable: "/a")
    }
    let whole = [UInt8](1...32)
    let expected = CacheKeySource.bytes(try #require(CacheKey(whole)))
    let digits = whole.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for good in [whole, Array(digits.utf8), Array("\(digits)\n".utf8)] { #expect(try key(of: good) == expected) }
    let long = [UInt8](repeating: 0x61, count: 600)
    for wrong in [[], Array(whole.dropLast()), whole + [33], Array("\(digits)\n\n".utf8), long] {
      let error = #expect(throws: InputError.self) { try key(of: wrong) }
      #expect(error?.message.hasPrefix("What --cache-key-fd gives is not a key") == true, "\(wrong)")
    }
  }
}

/// The request of `host auth call`.
@Suite(.timeLimit(.minutes(1)))
struct `A call with a token` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(AuthCommand.command) }

  private func request(_ words: String...) throws -> HTTPRequest {
    try ProtectedCall.request(try stage.invocation(["call"] + words))
  }

  @Test func `has the fields that are given, each by its first colon, and follows no redirect`() throws {
    let fields = ["A:b:c", "A:  d ", "X:\u{301}e", "X: \u{301}f", "Y:"].flatMap { ["--header", $0] }
    let request = try ProtectedCall.request(try stage.invocation(["call", "https://a.example/b"] + fields))
    #expect(request.headers.values(of: "a") == ["b:c", "d "])
    #expect(request.headers.values(of: "x") == ["\u{301}e", "\u{301}f"] && request.headers.values(of: "y") == [""])
    #expect(request.method == "GET" && request.maximumRedirects == 0 && request.body == nil)
    #expect(try self.request("https://a.example/b", "--method", "PUT").method == "PUT")
  }

  @Test(arguments: ["A", ":b", "Authorization:b", "authorization: b"])
  func `has no field without a name, nor one in place of the token`(field: String) {
    let error = #expect(throws: CommandLineError.self) { try request("https://a.example/b", "--header", field) }
    #expect(error?.message == "“\(field)” is not a header field for this.")
  }

  @Test(arguments: [
    ("https://a.example", true), ("http://127.0.0.1:1/a", true), ("http://[::1]/a", true), ("http://localhost", true),
    ("http://a.example", false), ("http://127.0.0.1.example", false), ("ftp://a.example", false),
    ("https://user@a.example", false), ("a.example", false),
  ])
  func `goes without encryption to this machine alone`(url: String, isTaken: Bool) {
    #expect(((try? request(url)) != nil) == isTaken)
  }
}
