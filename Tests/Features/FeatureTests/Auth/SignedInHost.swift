import JSONRPC
import AppExtensions
import ConfigurationFiles
import Cryptography
import ExtensionHosting
import HTTPServer
import HostServices
import IdentityServices
import IdentityServer
import JSON
import TestSupport
import TestUsers
import Time
import TokenBroker

@testable import ExtensionTesting

/// A host of two containing apps whose users sign in at an identity server of this process, which has two protected APIs.
struct SignedInHost {
  static let first = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"
  static let write = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Write"
  static let second = "api://22223333-cccc-4444-dddd-5555eeee6666/Notes.Read"
  static let password = "Correct-Horse-7"

  let server: IdentityServer
  /// Of the server and of its APIs.
  let url: String
  let identities: IdentityBook
  let settings: IdentityBook.Settings
  let state: StateDirectory
  let permissions: PermissionAuthority

  /// One key for all, for making one takes long.
  private static let key = Result { () -> (TemporaryDirectory, String) in
    let directory = try TemporaryDirectory()
    return (directory, try directory.write(try RSAPrivateKey.generate().pem(), to: "key.pem"))
  }

  static func run(
    kind: String = "native", change: (inout IdentityServer.Configuration) -> Void = { _ in },
    _ body: (SignedInHost) async throws -> Void
  ) async throws {
    var configuration = try IdentityServer.Configuration.ofTests("ada@example.com", password: password)
    configuration.users.append(IdentityUser(username: "bob@example.com"))
    configuration.lifetimes.pollInterval = 1
    configuration.signingKeyFile = try key.get().1
    change(&configuration)
    let server = try IdentityServer(configuration: configuration)
    let folder = try TestFolder()
    defer { folder.remove() }
    try await server.withRunning { address in
      let settings = IdentityBook.Settings(
        authority: kind == "native" ? "\(address.url)/local" : address.url, clientID: IdentityClient.native.id,
        challengeTypes: kind == "native" ? "password oob" : nil, kind: kind)
      let clock = WallClock(now: WallClock.system.now, sleep: { _ in try Task.checkCancellation() })
      try await body(
        SignedInHost(
          server: server, url: address.url,
          identities: IdentityBook(state: folder.state, settings: settings, clock: clock), settings: settings,
          state: folder.state,
          permissions: PermissionAuthority(state: folder.state, consent: .grant)))
    }
  }

  func host(signIn: AuthService.SignIn? = nil) -> TestHost {
    TestHost(services: [AuthService(identities: identities, signIn: signIn)], permissions: permissions)
  }

  /// Signs somebody in to the app of the identities of tests, as a tool would.
  func signIn(
    _ app: String = "com.example.test", as user: String = "ada@example.com", scopes: [String] = [first]
  ) async throws {
    let broker = try await identities.broker(for: app)
    if settings.kind == "openid" {
      _ = try await broker.signIn(username: user, password: .init(Self.password), scopes: try ScopeList(scopes))
      return
    }
    let flow = try broker.makeFlow(
      FlowStart(
        .signIn, username: user, password: .init(Self.password), scopes: try ScopeList(scopes)))
    guard case .completed = await flow.begin().state else { throw NobodySignedIn() }
  }

  struct NobodySignedIn: Error {}

  /// An extension that asks for scopes at the server of this process.
  static func identity(
    _ scopes: String..., servers: [String] = ["127.0.0.1:*"], token: Bool = false, point: ExtensionPoint = .today,
    app: String = "com.example.test"
  ) -> Caller.Identity {
    let part = (scopes + ["→"] + servers + (token ? ["(token)"] : [])).joined(separator: " ")
    var identity = Caller.Identity.testing(point: point, permissions: [AskedPermission("auth", scope: [part])])
    identity.containingApp = app
    return identity
  }

  /// The error that a closure in an extension ends with.
  func failure(
    as identity: Caller.Identity, _ body: @escaping @Sendable (ExtensionContext) async throws -> Void
  ) async throws -> ExtensionError {
    try await host().inWidget(as: identity) { context in
      do {
        try await body(context)
        throw NobodySignedIn()
      } catch let error as ExtensionError {
        return error
      }
    }
  }
}
