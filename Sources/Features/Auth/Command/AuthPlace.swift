import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HTTPClient
import HostServices
import IdentityServices
import TokenBroker

/// The identity server, the client and the token folder of a command: from the command line, otherwise from the
/// configuration file, otherwise the server that `host serve identity` runs on this machine.
package struct AuthPlace {
  let broker: TokenBroker
  let client: HTTPClient

  /// Whose tokens these are when no app is named.
  package static let ownApp = "org.annex.host"

  static let options: [CommandOption] =
    [
      .value(
        "app", "ID", "Sign in and call for a containing app and its extensions, as its manifest says",
        values: .identifier),
      .value(
        "authority", "URL", "The identity server and its tenant, or the issuer; else IDENTITY_AUTHORITY"),
      .value("client-id", "ID", "What the server knows this client as; else IDENTITY_CLIENT_ID"),
      .value(
        "kind", "KIND", "What the server speaks; else IDENTITY_KIND", values: .choices(["native", "openid"])),
      .value("config", "FILE", "The xcconfig file that names the server", values: .file),
      .value("trust", "FILE", "Certificates to trust instead of those of the system, in PEM", values: .file),
      .value(
        "cache-key-file", "FILE",
        "The key of the token cache, 32 bytes or 64 hexadecimal digits; else the file that \(CacheKeySource.variable) names",
        values: .file),
      .value("cache-key-fd", "N", "The number of a descriptor that the key can be read from"),
    ] + CommandOption.secret("client-secret", "The secret of the client", environment: "ANNEX_CLIENT_SECRET")

  /// - Throws: `AuthError`, `ExtensionError`, and what is wrong with the configuration.
  init(_ invocation: Invocation) async throws {
    var settings = HTTPClient.Configuration()
    settings.certificateFile = invocation.parsed.value("trust")
    client = HTTPClient(configuration: settings)
    broker = try await Self.book(invocation, try Self.apps(invocation))
      .broker(for: invocation.parsed.value("app") ?? Self.ownApp)
  }

  /// The manifests of the apps, where one of them is named.
  private static func apps(_ invocation: Invocation) throws -> ExtensionRegistry? {
    guard let app = invocation.parsed.value("app") else { return nil }
    let registry = try invocation.registry()
    guard registry.entries.contains(where: { $0.isApp && $0.identifier == app }) else {
      throw Failure(
        ExtensionError(
          .extensionUnknown, "No app is called “\(app)”.", recovery: "“host apps” lists those that are there."),
        status: .noInput)
    }
    return registry
  }

  /// Where the users of apps sign in, and what keeps their tokens.
  ///
  /// - Parameter registry: whose manifests count; what the command line names counts more.
  static func book(_ invocation: Invocation, _ registry: ExtensionRegistry?) throws -> IdentityBook {
    CoreFile.refuse()
    let isNamed = invocation.parsed.value("authority") != nil
    var settings = try settings(invocation)
    // Once, for a descriptor gives it once. Commands that run extensions have the variable alone.
    let secret = try invocation.parsed.secret("client-secret") ?? invocation.environment["ANNEX_CLIENT_SECRET"]
    settings.clientSecret = secret.flatMap { $0.isEmpty ? nil : Secret($0) }
    return IdentityBook(
      state: try invocation.state(), settings: settings, key: try key(invocation),
      certificateFile: invocation.parsed.value("trust"), log: ConsoleLog(invocation.console)
    ) { app throws(ExtensionError) in
      isNamed ? nil : try registry?.identity(ofApp: app)
    }
  }

  /// The address of the server without a path.
  static func origin(_ invocation: Invocation) throws -> String {
    let parts = try authority(invocation).split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/")
  }

  /// Whether the server is to run on this machine.
  static func isLocal(_ invocation: Invocation) throws -> Bool {
    HTTPOrigin(url: try authority(invocation))?.isLoopback ?? false
  }

  private static func authority(_ invocation: Invocation) throws -> String {
    if let app = invocation.parsed.value("app"), invocation.parsed.value("authority") == nil,
      let identity = try apps(invocation)?.identity(ofApp: app)
    {
      return identity.authority
    }
    return try settings(invocation).authority ?? ""
  }

  private static func settings(_ invocation: Invocation) throws -> IdentityBook.Settings {
    let parsed = invocation.parsed
    let file = try invocation.settings()
    func value(_ option: String, _ key: String) -> String? {
      parsed.value(option) ?? file.map { $0[key] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let authority =
      value("authority", "IDENTITY_AUTHORITY")
      ?? "http://127.0.0.1:\(LocalIdentityServer.port)/\(LocalIdentityServer.tenant)"
    let isLocal = HTTPOrigin(url: authority)?.isLoopback ?? false
    return IdentityBook.Settings(
      authority: authority,
      clientID: value("client-id", "IDENTITY_CLIENT_ID") ?? (isLocal ? LocalIdentityServer.clientID : nil),
      challengeTypes: value("challenge-types", "IDENTITY_CHALLENGE_TYPES"),
      kind: value("kind", "IDENTITY_KIND") ?? (authority.hasSuffix(".onmicrosoft.com") ? "native" : nil))
  }

  /// The key that the user names.
  static func key(_ invocation: Invocation) throws -> CacheKeySource {
    guard let number = try invocation.parsed.integer("cache-key-fd", in: 0...Int(Int32.max)) else {
      let path = invocation.parsed.value("cache-key-file") ?? invocation.environment[CacheKeySource.variable]
      return path.flatMap { $0.isEmpty ? nil : .file($0) } ?? .besideCache
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
      throw InputError(message: "What --cache-key-fd gives is not a key of 32 bytes or 64 hexadecimal digits.")
    }
    return .bytes(key)
  }
}

/// What the kernel writes of a process that crashes: all of its memory.
enum CoreFile {
  /// There is none from now on: passwords and tokens would stand in it.
  static func refuse() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
