package import ConfigurationFiles
internal import HTTPClient

/// Which AEM to ask, and as whom.
package struct ContentConfiguration: Sendable, Equatable {
  /// How requests prove who asks.
  package enum Authentication: Sendable, Equatable {
    case none
    /// A user name without colon and a password, both in ISO-8859-1 (what AEM reads).
    case basic(user: String, password: Secret)
    /// A bearer token: a local development token or an access token of IMS.
    case token(Secret)
  }

  /// "http" or "https".
  package let scheme: String
  /// The host, with its port when the configuration names one.
  package let host: String
  package let authentication: Authentication

  /// Where AEM publish listens by default.
  package static let defaultHost = "127.0.0.1:4503"

  /// The AEM of this machine, without authentication.
  package init() {
    scheme = "http"
    host = Self.defaultHost
    authentication = .none
  }

  /// - Throws: `ConfigurationError` for a scheme, host, user name, password or token that cannot be used.
  package init(scheme: String, host: String, authentication: Authentication = .none) throws(ConfigurationError) {
    try self.init(scheme: scheme, host: host, authentication: authentication) { _ in nil }
  }

  /// Reads `AEM_SCHEME`, `AEM_HOST`, `AEM_AUTH_TYPE`, `AEM_USERNAME`, `AEM_PASSWORD` and `AEM_TOKEN`.
  ///
  /// A key that is not set is the same as an empty one. The defaults are `http`, `127.0.0.1:4503` and no
  /// authentication; an `AEM_AUTH_TYPE` other than `basic` and `token` means none.
  ///
  /// - Throws: `ConfigurationError` with the key, file and line.
  package init(_ settings: XCConfig) throws(ConfigurationError) {
    let place = { (key: String) in settings.setting(key)?.place }
    let authentication: Authentication =
      switch settings["AEM_AUTH_TYPE"].lowercased() {
      case "basic": .basic(user: settings["AEM_USERNAME"], password: Secret(settings["AEM_PASSWORD"]))
      case "token": .token(Secret(settings["AEM_TOKEN"]))
      default: .none
      }
    try self.init(
      scheme: settings["AEM_SCHEME"], host: settings["AEM_HOST"], authentication: authentication,
      place: { place($0) ?? place("AEM_AUTH_TYPE") })
  }

  private init(
    scheme: String, host: String, authentication: Authentication, place: @escaping (String) -> XCConfig.Place?
  ) throws(ConfigurationError) {
    let check = ConfigurationCheck(place: place)
    self.scheme = try check.scheme(scheme)
    self.host = try check.host(host, scheme: self.scheme)
    try check.authentication(authentication)
    self.authentication = authentication
  }

  /// `scheme://host`, as requests begin.
  package var origin: String { "\(scheme)://\(host)" }

  /// Whether AEM is expected on this machine.
  package var isLoopback: Bool { HTTPOrigin(url: origin)?.isLoopback ?? false }
}
