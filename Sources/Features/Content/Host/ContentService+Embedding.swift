import ConfigurationFiles
import ContentClient
public import ExtensionHosting
public import ExtensionProtocol
import JSON

extension ContentService {
  /// The AEM server of a host app, and its authentication.
  public struct Configuration: Sendable {
    /// How requests authenticate.
    public enum Authentication: Sendable {
      /// Requests are anonymous, as a Publish allows it.
      case none
      /// A user name without a colon, and a password.
      case basic(user: String, password: String)
      /// A bearer token.
      case token(String)
    }

    /// One sentence with file and line for each setting that is permitted but probably wrong.
    public let warnings: [String]
    fileprivate let settings: ContentConfiguration

    /// The AEM of this machine at port 4503, without authentication: `host serve content` is one.
    public init() { self.init(settings: ContentConfiguration()) }

    /// An AEM that is named here.
    ///
    /// - Parameters:
    ///   - scheme: `https`, or `http`.
    ///   - host: a name or an address, with a port where it is not the usual one.
    /// - Throws: `invalidParams` for a scheme, host, user name, password or token that cannot be used; an empty one too.
    public init(
      scheme: String = "https", host: String, authentication: Authentication = .none
    ) throws(ExtensionError) {
      // A file of settings that leaves them empty means this machine. A caller who does has lost them.
      for (name, value) in [("scheme", scheme), ("host", host)] where value.isEmpty {
        throw ExtensionError(
          .invalidParams, "The \(name) of the AEM server is empty.",
          recovery: "Pass it, or take Configuration() for the AEM of this machine.")
      }
      let authentication: ContentConfiguration.Authentication =
        switch authentication {
        case .none: .none
        case .basic(let user, let password): .basic(user: user, password: Secret(password))
        case .token(let token): .token(Secret(token))
        }
      do throws(ConfigurationError) {
        self.init(
          settings: try ContentConfiguration(scheme: scheme, host: host, authentication: authentication))
      } catch {
        throw ExtensionError(.invalidParams, error.message, recovery: error.recovery)
      }
    }

    /// The AEM that an xcconfig file names, by the keys that the tool reads: `AEM_SCHEME`, `AEM_HOST`, `AEM_AUTH_TYPE`
    /// (`basic`, `token` or `service`) with `AEM_USERNAME` and `AEM_PASSWORD`, `AEM_TOKEN`, or `AEM_SERVICE_CREDENTIALS`.
    ///
    /// - Parameter path: the path of the file. Reading it blocks for the time of a small file or two.
    /// - Throws: `invalidParams` with the file and the line of what cannot be used.
    public init(contentsOf path: String) throws(ExtensionError) {
      do throws(ConfigurationError) {
        self.init(settings: try ContentConfiguration(XCConfig(contentsOf: path)))
      } catch {
        throw ExtensionError(.invalidParams, error.message, recovery: error.recovery)
      }
    }

    private init(settings: ContentConfiguration) {
      self.settings = settings
      warnings = settings.warnings.map { "\($0)" }
    }
  }

  /// Creates a service for the content of an AEM server, cached as AEM's headers permit: a fresh answer is not
  /// requested again, and a stale one within its `stale-if-error` is used when AEM fails.
  ///
  /// - Parameters:
  ///   - state: the state directory; the caches are in its folder `cache`.
  ///   - configuration: the AEM server and the authentication.
  ///   - log: receives a warning for each stale or incomplete answer, and for a cache that cannot be used.
  public init(state: StateDirectory, configuration: Configuration, log: any LogSink = NoLog()) {
    self.init(
      ContentFetcher(state: state, configuration: configuration.settings) { observation in
        switch observation {
        case .query(let query, let result):
          let query = ["query": JSONValue.string(query)]
          if let reason = result.staleReason { log.log(.warning, "Old content: \(reason)", metadata: query) }
          if !result.errors.isEmpty { log.log(.warning, "An answer of AEM is not whole.", metadata: query) }
        case .picture(let path, let image):
          guard let reason = image.staleReason else { return }
          log.log(.warning, "An old picture: \(reason)", metadata: ["path": .string(path)])
        case .cache(let sentence): log.log(.warning, sentence, metadata: [:])
        }
      })
  }

  /// Serves what a fetcher fetches.
  package init(_ fetcher: ContentFetcher) {
    self.init(fetch: { try await fetcher.fetch($0) }, image: { try await fetcher.fetch($0) })
  }
}
