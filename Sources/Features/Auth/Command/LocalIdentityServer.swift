import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
import HTTPServer
import IdentityServer

/// `host serve identity`: a stand-in for an identity server, and for two APIs that want its tokens.
enum LocalIdentityServer: LocalServer {
  /// The port that the server takes when none is named, and that the tool asks when nothing else is configured.
  static let port = 4505
  /// The path of the tenant.
  static let tenant = "local.onmicrosoft.com"
  /// The client that the server knows.
  static let clientID = IdentityClient.native.id

  static let command = Command(
    "identity", summary: "Sign users in as Entra External ID and OpenID Connect servers would",
    discussion: """
      Prints “ready http://127.0.0.1:PORT” and runs until you press Ctrl-C. The server has native authentication, \
      version 1, below /local.onmicrosoft.com, OpenID Connect, and two APIs, /api1 and /api2, which need tokens of \
      their own. Accounts come from sign-up, --user and the file of --users; none is kept when the server ends. “host \
      auth outbox” shows the one-time codes.
      """,
    example: "host serve identity --port 0 --user rider@example.com",
    options: places + behaviour)

  private static let places: [CommandOption] = [
    .value("port", "N", "The port (default: \(port)); 0 takes any free one"),
    .value(
      "host", "ADDRESS", "The address to listen at; with one that other machines reach there is no outbox",
      default: "127.0.0.1"),
    .value("tls-certificate", "FILE", "The certificate for TLS, in PEM", values: .file),
    .value("tls-key", "FILE", "The private key of the certificate, in PEM", values: .file),
    .flag("insecure", "Listen without TLS where other machines can reach the server: passwords can be read on the way"),
    .value("users", "FILE", "A JSON file of users, with passwords of “host auth password-hash”", values: .file),
    .value(
      "client", "FILE", "A JSON file of clients, with redirect addresses and secrets", values: .file),
    .value("user", "NAME", "An account that signs in by one-time code", isRepeatable: true),
    .value("outbox", "FILE", "Also add one-time codes to a file that only you can read", values: .file),
    .value("signing-key", "FILE", "A private RSA key in PEM, so that tokens outlive the server", values: .file),
  ]

  private static let behaviour: [CommandOption] = [
    .value("attribute", "NAME[:PATTERN]", "An attribute that sign-up asks for", isRepeatable: true),
    .value(
      "lifetime", "NAME=SECONDS", "How long something holds: \(lifetimes.map(\.name).joined(separator: ", "))",
      isRepeatable: true),
    .value(
      "rotation", "HOW", "What happens to a refresh token that was used", default: "rotate",
      values: .choices(IdentityServer.Rotation.allCases.map(\.rawValue))),
    .value(
      "subjects", "HOW", "The names of users in sub: another for each client, or the same", default: "pairwise",
      values: .choices(IdentityServer.Subjects.allCases.map(\.rawValue))),
    .value(
      "quirk", "NAME", "Deviate from the standard as some servers do", isRepeatable: true,
      values: .choices(Quirk.allCases.map(\.rawValue))),
    .value(
      "fault", "PATH=KIND[*COUNT]",
      "A fault to produce: token=503*2, token=slow:500, /api1=dropped, token=page, token=cut", isRepeatable: true),
  ]

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (String) -> Void) async throws {
    let configuration = try configuration(invocation)
    let server: IdentityServer
    do throws(IdentityServerError) {
      server = try IdentityServer(configuration: configuration)
    } catch {
      throw Failure(
        ExtensionError(.invalidParams, error.message, recovery: error.recovery), status: .dataError)
    }
    // Extensions may ask it what any client on the network may; the outbox has a secret.
    try await invocation.serve(
      server, as: "identity", secret: configuration.outboxSecret, admitsFetches: true, ready: ready)
  }

  static func introduction(_ invocation: Invocation, at url: String) -> [ShownText] {
    let user = invocation.parsed.values("user").first
    // Where commands look when nothing is said.
    let isUsual = url == "http://127.0.0.1:\(port)"
    let authority = isUsual ? "" : " --authority \(url)/\(tenant)"
    return [
      user.map { "Signs in \($0) with one-time codes, and accounts that sign up." }
        ?? "Signs in accounts that sign up.",
      "In another terminal try: host auth \(user.map { "sign-in \($0)" } ?? "sign-up USER")\(authority)",
      "“host auth outbox” shows the one-time codes.",
    ]
  }

  // MARK: The command line

  /// What the command line says, with a secret of its own for the outbox, and the log of the command.
  static func configuration(_ invocation: Invocation) throws(CommandLineError) -> IdentityServer.Configuration {
    var configuration = try configuration(invocation.parsed)
    configuration.outboxSecret = LocalServers.newSecret()
    if let log = invocation.requestLog { configuration.log = log }
    return configuration
  }

  static func configuration(_ parsed: ParsedCommand) throws(CommandLineError) -> IdentityServer.Configuration {
    var configuration = IdentityServer.Configuration()
    configuration.port = try parsed.integer("port", in: 0...65535) ?? port
    configuration.host = parsed.value("host") ?? "127.0.0.1"
    configuration.certificate = try certificate(parsed)
    let isLoopback =
      HTTPOrigin(url: "http://\(configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host)")?
      .isLoopback ?? false
    guard configuration.certificate != nil || isLoopback || parsed.flag("insecure") else {
      throw CommandLineError(
        "Without TLS, passwords and tokens can be read on their way to \(configuration.host.escapedForTerminal).",
        help: "Give --tls-certificate FILE and --tls-key FILE, or --insecure.")
    }
    configuration.usersFile = parsed.value("users")
    configuration.clientsFile = parsed.value("client")
    configuration.users = parsed.values("user").map { IdentityUser(username: $0) }
    configuration.outboxFile = parsed.value("outbox")
    configuration.signingKeyFile = parsed.value("signing-key")
    configuration.attributes = parsed.values("attribute").map(attribute)
    configuration.rotation = parsed.value("rotation").flatMap { IdentityServer.Rotation(rawValue: $0) } ?? .rotate
    configuration.subjects = parsed.value("subjects").flatMap { IdentityServer.Subjects(rawValue: $0) } ?? .pairwise
    configuration.quirks = Set(parsed.values("quirk").compactMap { Quirk(rawValue: $0) })
    configuration.faults = parsed.values("fault")
    for words in parsed.values("lifetime") { try set(words, of: &configuration.lifetimes) }
    return configuration
  }

  private static func certificate(_ parsed: ParsedCommand) throws(CommandLineError) -> ServerCertificate? {
    switch (parsed.value("tls-certificate"), parsed.value("tls-key")) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return ServerCertificate(certificateFile: certificate, keyFile: key)
    default:
      throw CommandLineError(
        "A certificate without its key is of no use, and a key without its certificate neither.",
        help: "Give --tls-certificate FILE and --tls-key FILE.")
    }
  }

  private static func attribute(_ words: String) -> AttributeRule {
    guard let colon = words.firstIndex(of: ":") else { return AttributeRule(words) }
    return AttributeRule(String(words[..<colon]), pattern: String(words[words.index(after: colon)...]))
  }

  /// A lifetime that an option of the command line sets.
  private struct Lifetime: Sendable {
    let name: String
    let set: @Sendable (inout IdentityServer.Lifetimes, Int64) -> Void
  }

  private static let lifetimes: [Lifetime] = [
    Lifetime(name: "access") { $0.accessToken = $1 }, Lifetime(name: "announced") { $0.announced = $1 },
    Lifetime(name: "extended") { $0.extended = $1 }, Lifetime(name: "refresh-in") { $0.refreshIn = $1 },
    Lifetime(name: "id") { $0.idToken = $1 }, Lifetime(name: "refresh") { $0.refreshToken = $1 },
    Lifetime(name: "continuation") { $0.continuation = $1 }, Lifetime(name: "code") { $0.oneTimeCode = $1 },
    Lifetime(name: "authorization") { $0.authorizationCode = $1 }, Lifetime(name: "device") { $0.deviceCode = $1 },
    Lifetime(name: "device-interval") { $0.deviceInterval = $1 }, Lifetime(name: "poll") { $0.pollInterval = $1 },
    Lifetime(name: "resend") { $0.resendInterval = $1 },
  ]

  private static func set(
    _ words: String, of lifetimes: inout IdentityServer.Lifetimes
  ) throws(CommandLineError) {
    let parts = words.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let known = Self.lifetimes.first(where: { $0.name == parts[0] }),
      let seconds = Int64(parts[1]), (0...315_360_000).contains(seconds)
    else {
      throw CommandLineError(
        "“\(words.escapedForTerminal)” is not a lifetime.",
        help: "Write NAME=SECONDS; the names are: \(Self.lifetimes.map(\.name).joined(separator: ", ")).")
    }
    known.set(&lifetimes, seconds)
  }
}
