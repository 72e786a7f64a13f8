import CommandLineTool
import ConfigurationFiles
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HTTPClient
import HostCLI
import TokenBroker

/// Which identity server a command asks, as which client, and where the tokens lie: as the command line says, else the
/// configuration file, else the server that `host serve identity` runs on this machine.
struct AuthPlace {
  let broker: TokenBroker
  let client: HTTPClient

  static let options: [CommandOption] = [
    .value(
      "authority", "URL", "The identity server and its tenant, or the issuer; else AUTH_AUTHORITY of the configuration"),
    .value("client-id", "ID", "What the server knows this client as; else AUTH_CLIENT_ID of the configuration"),
    .value(
      "kind", "KIND", "What the server speaks; else AUTH_KIND of the configuration, else native",
      values: .choices(["native", "openid"])),
    .value("config", "FILE", "The xcconfig file that names the server", values: .file),
    .value("trust", "FILE", "Certificates to trust instead of those of the system, in PEM", values: .file),
    .value(
      "cache-key-file", "FILE", "The key of the token cache: 32 bytes, or 64 hexadecimal digits",
      environment: "ANNEX_TOKEN_KEY_FILE", values: .file),
    .value("cache-key-fd", "N", "The number of a descriptor that the key can be read from"),
  ]

  /// - Throws: `AuthError`, and what is wrong with the configuration.
  init(_ invocation: Invocation) throws {
    let parsed = invocation.parsed
    var settings = HTTPClient.Configuration()
    settings.certificateFile = parsed.value("trust")
    client = HTTPClient(configuration: settings)
    let state = try invocation.state()
    let console = invocation.console
    let cache = TokenCache(
      folder: "\(try state.folder("auth"))/tool", key: try Self.key(parsed), report: { console.warn("\($0)") })
    broker = TokenBroker(try Self.configuration(invocation, state), client: client, cache: cache)
  }

  /// The address of the server without a path.
  static func origin(_ invocation: Invocation) throws -> String {
    let authority = try configuration(invocation, try invocation.state()).authority
    let parts = authority.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/")
  }

  /// Whether the server is to run on this machine.
  static func isLocal(_ invocation: Invocation) throws -> Bool {
    HTTPOrigin(url: try configuration(invocation, try invocation.state()).authority)?.isLoopback ?? false
  }

  private static func configuration(
    _ invocation: Invocation, _ state: StateDirectory
  ) throws -> IdentityConfiguration {
    let parsed = invocation.parsed
    let file = try settings(invocation, state)
    func value(_ option: String, _ key: String) -> String? {
      parsed.value(option) ?? file.map { $0[key] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let kind = value("kind", "AUTH_KIND") ?? "native"
    guard ["native", "openid"].contains(kind) else {
      throw AuthError(
        .invalidConfiguration, "AUTH_KIND is neither native nor openid.", recovery: "Write AUTH_KIND = native.")
    }
    return try IdentityConfiguration(
      authority: value("authority", "AUTH_AUTHORITY")
        ?? "http://127.0.0.1:\(LocalIdentityServer.port)/\(LocalIdentityServer.tenant)",
      clientID: value("client-id", "AUTH_CLIENT_ID") ?? LocalIdentityServer.clientID,
      kind: kind == "native" ? .native : .openIDConnect)
  }

  private static func settings(_ invocation: Invocation, _ state: StateDirectory) throws -> XCConfig? {
    let standard = "\(state.path)/Config.xcconfig"
    guard let path = invocation.parsed.value("config") ?? (access(standard, F_OK) == 0 ? standard : nil) else {
      return nil
    }
    do throws(ConfigurationError) {
      let settings = try XCConfig(contentsOf: path)
      for warning in settings.warnings { invocation.console.warn("\(warning)") }
      return settings
    } catch {
      throw Failure(
        ExtensionError(.invalidParams, error.message, recovery: error.recovery), status: .configuration)
    }
  }

  /// The key that the user names.
  private static func key(_ parsed: ParsedCommand) throws -> CacheKeySource {
    guard let number = try parsed.integer("cache-key-fd", in: 0...Int(Int32.max)) else {
      return parsed.value("cache-key-file").map { .file($0) } ?? .besideCache
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    while bytes.count <= 256 {
      let count = read(Int32(number), &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw InputError(message: "Cannot read --cache-key-fd: \(SystemError.last).") }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard let key = CacheKey(bytes) else {
      throw InputError(message: "What --cache-key-fd gives is no key of 32 bytes or 64 hexadecimal digits.")
    }
    return .bytes(key)
  }
}
