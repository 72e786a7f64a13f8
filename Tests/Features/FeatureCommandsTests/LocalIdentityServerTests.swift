import CommandLineTool
import HTTPServer
import IdentityServer
import Testing

@testable import FeatureCommands

/// The options of `host serve identity`.
@Suite(.timeLimit(.minutes(1)))
struct `A local identity server on the command line` {
  private static func configuration(_ words: String...) throws -> IdentityServer.Configuration {
    try LocalIdentityServer.configuration(
      CommandLineParser(LocalIdentityServer.command).parse(words))
  }

  @Test func `is what its options say`() throws {
    let server = try Self.configuration(
      "--port", "0", "--host", "::1", "--tls-certificate", "c.pem", "--tls-key", "k.pem", "--users",
      "u.json",
      "--client", "clients.json", "--user", "a@b", "--user", "c@d", "--outbox", "o",
      "--signing-key", "s.pem",
      "--attribute", "city", "--attribute", "zip:[0-9]:+", "--rotation", "keep", "--subjects",
      "public",
      "--quirk", "scopeIgnored", "--quirk", "expiryLies", "--fault", "token=503*2", "--fault",
      "token=cut",
      "--lifetime", "code=7")
    #expect(server.port == 0 && server.host == "::1")
    #expect(server.certificate == ServerCertificate(certificateFile: "c.pem", keyFile: "k.pem"))
    #expect(server.usersFile == "u.json" && server.clientsFile == "clients.json")
    #expect(server.users.map(\.username) == ["a@b", "c@d"])
    #expect(server.outboxFile == "o" && server.signingKeyFile == "s.pem")
    #expect(server.attributes == [AttributeRule("city"), AttributeRule("zip", pattern: "[0-9]:+")])
    #expect(server.rotation == .keep && server.subjects == .public)
    #expect(server.quirks == [.scopeIgnored, .expiryLies])
    #expect(server.faults == ["token=503*2", "token=cut"])
    #expect(server.lifetimes.oneTimeCode == 7)
  }

  @Test func `is one for this machine alone where nothing is said`() throws {
    let server = try Self.configuration()
    #expect(server.port == 4505 && server.host == "127.0.0.1" && server.certificate == nil)
    #expect(server.rotation == .rotate && server.subjects == .pairwise)
    #expect(
      server.users.isEmpty && server.attributes.isEmpty && server.quirks.isEmpty
        && server.faults.isEmpty)
    #expect(server.usersFile == nil && server.clientsFile == nil && server.outboxFile == nil)
    #expect(server.signingKeyFile == nil && server.lifetimes.announced == nil)
  }

  @Test func `gives each lifetime to what it is called after`() throws {
    let names = [
      "access", "announced", "extended", "refresh-in", "id", "refresh", "continuation", "code",
      "authorization",
      "device", "device-interval", "poll", "resend",
    ]
    var words: [String] = []
    for (number, name) in names.enumerated() { words += ["--lifetime", "\(name)=\(number + 11)"] }
    let parsed = try CommandLineParser(LocalIdentityServer.command).parse(words)
    let lifetimes = try LocalIdentityServer.configuration(parsed).lifetimes
    #expect(lifetimes.accessToken == 11)
    #expect(lifetimes.announced == 12)
    #expect(lifetimes.extended == 13)
    #expect(lifetimes.refreshIn == 14)
    #expect(lifetimes.idToken == 15)
    #expect(lifetimes.refreshToken == 16)
    #expect(lifetimes.continuation == 17)
    #expect(lifetimes.oneTimeCode == 18)
    #expect(lifetimes.authorizationCode == 19)
    #expect(lifetimes.deviceCode == 20)
    #expect(lifetimes.deviceInterval == 21)
    #expect(lifetimes.pollInterval == 22)
    #expect(lifetimes.resendInterval == 23)
  }

  @Test func `takes lifetimes from nothing to ten years, the last of a name`() throws {
    #expect(try Self.configuration("--lifetime", "code=0").lifetimes.oneTimeCode == 0)
    #expect(
      try Self.configuration("--lifetime", "code=315360000").lifetimes.oneTimeCode == 315_360_000)
    #expect(
      try Self.configuration("--lifetime", "code=1", "--lifetime", "code=2").lifetimes.oneTimeCode
        == 2)
    for wrong in [
      "code=-1", "code=315360001", "code", "code=", "code=1=2", "cod=1", "=1", "code=x",
    ] {
      let error = #expect(throws: CommandLineError.self) {
        try Self.configuration("--lifetime=\(wrong)")
      }
      #expect(error?.message == "“\(wrong)” is not a lifetime.")
      #expect(
        error?.help.hasSuffix(
          "the names are: access, announced, extended, refresh-in, id, refresh, continuation, "
            + "code, authorization, device, device-interval, poll, resend.") == true)
    }
  }

  @Test func `is named to those who sign in, unless they look there anyway`() throws {
    let stage = try FeatureStage(LocalIdentityServer.command)
    func advice(_ url: String, _ words: String...) throws -> [String] {
      LocalIdentityServer.introduction(try stage.invocation(words), at: url).map(\.description)
    }
    let usual = try advice("http://127.0.0.1:4505", "--user", "a@b", "--user", "c@d")
    #expect(usual[0] == "Signs in a@b with one-time codes, and accounts that sign up.")
    #expect(usual[1] == "In another terminal try: host auth sign-in a@b")
    #expect(try advice("http://127.0.0.1:4505")[1] == "In another terminal try: host auth sign-up USER")
    for url in ["http://127.0.0.1:14505", "http://[::1]:4505", "https://127.0.0.1:4505", "http://127.0.0.1:45050"] {
      let line = "In another terminal try: host auth sign-up USER --authority \(url)/local.onmicrosoft.com"
      #expect(try advice(url)[1] == line)
    }
  }

  @Test func `is not where others could listen, unless that is wanted`() throws {
    for host in ["0.0.0.0", "192.0.2.1", "::", "example.com"] {
      let error = #expect(throws: CommandLineError.self) { try Self.configuration("--host", host) }
      #expect(error?.message.hasSuffix("on their way to \(host).") == true)
      #expect(try Self.configuration("--host", host, "--insecure").host == host)
      #expect(
        try Self.configuration("--host", host, "--tls-certificate", "c", "--tls-key", "k")
          .certificate != nil)
    }
    for host in ["127.0.0.2", "localhost", "::1"] {
      #expect(try Self.configuration("--host", host).host == host)
    }
    for half in ["--tls-certificate", "--tls-key"] {
      let error = #expect(throws: CommandLineError.self) { try Self.configuration(half, "x") }
      #expect(error?.message.hasPrefix("A certificate without its key is of no use") == true)
    }
    #expect(throws: CommandLineError.self) { try Self.configuration("--port", "65536") }
    #expect(try Self.configuration("--port", "65535").port == 65_535)
  }
}
