import JSON
import ConfigurationFiles
package import ExtensionHosting
package import ExtensionProtocol
import Fetching
import HTTPClient
import Synchronization
package import Time
package import TokenBroker

/// Where the users of containing apps sign in, and what keeps their tokens: one broker for each app, with a cache of the
/// app's own.
package struct IdentityBook: Sendable {
  private let settings: Settings?
  private let ofManifest: OfManifest
  private let state: StateDirectory
  private let key: CacheKeySource
  private let clock: WallClock
  private let client: HTTPClient
  private let log: any LogSink
  private let brokers = Brokers()

  /// Returns the identity server in the manifest of an app; nil when it names none.
  ///
  /// - Throws: `extensionInvalid` when the manifest cannot be used.
  package typealias OfManifest = @Sendable (_ app: String) throws(ExtensionError) -> Manifest.Identity?

  /// - Parameters:
  ///   - state: the state directory; the caches are in `auth/APP` below it.
  ///   - settings: the settings for apps whose manifests have none; `nil` without a configuration.
  ///   - key: the source of the key that encrypts the caches.
  ///   - certificateFile: trusted certificates in PEM, instead of those of the system.
  ///   - manifest: returns the identity server in the manifest of an app.
  package init(
    state: StateDirectory, settings: Settings? = nil, key: CacheKeySource = .besideCache, clock: WallClock = .system,
    certificateFile: String? = nil, log: any LogSink = NoLog(),
    manifest: @escaping OfManifest = { _ in nil }
  ) {
    (self.state, self.settings, self.key, self.clock, self.log) = (state, settings, key, clock, log)
    ofManifest = manifest
    var configuration = HTTPClient.Configuration()
    configuration.certificateFile = certificateFile
    client = HTTPClient(configuration: configuration)
  }

  /// The book of a host, with what the manifests of its apps say.
  package init(
    in environment: HostEnvironment, settings: Settings? = nil, key: CacheKeySource = .besideCache,
    clock: WallClock = .system, certificateFile: String? = nil
  ) {
    let registry = environment.registry
    self.init(
      state: environment.state, settings: settings, key: key, clock: clock, certificateFile: certificateFile,
      log: environment.log,
      manifest: { app throws(ExtensionError) in try registry.identity(ofApp: app) })
  }

  /// Returns the configuration of an app's identity server.
  ///
  /// - Throws: `serviceUnavailable` when it is missing or cannot be used; `extensionInvalid` when the manifest of the app
  ///   has faults.
  package func configuration(of app: String) throws(ExtensionError) -> IdentityConfiguration {
    let named = try ofManifest(app)
    do throws(AuthError) {
      if let found = named {
        var configuration = try IdentityConfiguration(
          authority: found.authority, clientID: found.clientID,
          kind: found.challengeTypes == nil ? .openIDConnect : .native,
          challengeTypes: found.challengeTypes ?? [])
        // The secret is for the client that the host is configured with, and for no other server.
        if settings?.clientID == found.clientID, settings?.authority == found.authority {
          configuration.clientSecret = settings?.clientSecret
        }
        return configuration
      }
      if let settings, let found = try settings.configuration() { return found }
    } catch {
      throw ExtensionError(error)
    }
    throw ExtensionError(
      .serviceUnavailable, "Nothing says where the users of \(app) sign in.",
      recovery: "Name the identity server under Annex.Identity in the app's manifest, or have the host configured.")
  }

  /// The folder of an app's cache.
  ///
  /// - Throws: `storeFailed` when it cannot be made.
  package func folder(for app: String) throws(ExtensionError) -> String {
    // It becomes a path.
    guard ManifestNames.isIdentifier(app) else {
      throw ExtensionError(.invalidParams, "“\(app.prefix(200))” is not a bundle identifier.")
    }
    return try state.folder("auth/\(app)")
  }

  /// Returns the token broker of an app, the same object on each call.
  ///
  /// - Throws: `serviceUnavailable` when no identity server is configured for the app; `storeFailed`.
  package func broker(for app: String) async throws(ExtensionError) -> TokenBroker {
    if let known = brokers.known(app) { return known }
    let configuration = try configuration(of: app)
    let log = log
    let cache = TokenCache(folder: try folder(for: app), key: key) { sentence in
      log.log(.warning, sentence, metadata: ["app": .string(app)])
    }
    guard try ofManifest(app) != nil else {
      return brokers.keep(TokenBroker(configuration, client: client, cache: cache, clock: clock), for: app)
    }
    // A manifest chose this server, and what it answers the next: a public name leads to no private address, and servers
    // of this machine know who asks.
    let client = client
    let broker = TokenBroker(configuration, cache: cache, clock: clock) { request throws(HTTPError) in
      var request = request
      if let origin = HTTPOrigin(url: request.url) { FetchRules.confine(&request, to: origin) }
      return try await client.send(request)
    }
    return brokers.keep(broker, for: app)
  }

  /// Renews tokens early, until the task is cancelled.
  package func run() async {
    await withDiscardingTaskGroup { group in
      for await broker in brokers.added() { group.addTask { await broker.run() } }
    }
  }

  /// The brokers that were made.
  private final class Brokers: Sendable {
    private struct State {
      var byApp: [String: TokenBroker] = [:]
      var news: AsyncStream<TokenBroker>.Continuation?
    }
    private let state = Mutex(State())

    func known(_ app: String) -> TokenBroker? { state.withLock { $0.byApp[app] } }

    /// - Returns: the one that was there before, when there was.
    func keep(_ broker: TokenBroker, for app: String) -> TokenBroker {
      state.withLock { state in
        if let known = state.byApp[app] { return known }
        state.byApp[app] = broker
        state.news?.yield(broker)
        return broker
      }
    }

    func added() -> AsyncStream<TokenBroker> {
      let (stream, news) = AsyncStream.makeStream(of: TokenBroker.self)
      state.withLock { state in
        for broker in state.byApp.values { news.yield(broker) }
        state.news = news
      }
      return stream
    }
  }
}
