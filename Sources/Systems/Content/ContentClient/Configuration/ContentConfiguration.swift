package import ConfigurationFiles
internal import Files
internal import HTTPClient
internal import Text

/// The address of an AEM server, and the credentials for it.
package struct ContentConfiguration: Sendable, Equatable {
  /// The way requests authenticate.
  package enum Authentication: Sendable, Equatable {
    case none
    /// A user name without colon and a password, both in ISO-8859-1 (what AEM reads).
    case basic(user: String, password: Secret)
    /// A bearer token: a local development token or an access token of IMS.
    case token(Secret)
    /// A service account, whose credentials the client exchanges for access tokens.
    case service(ServiceCredentials)

    /// The advice for rejected credentials, as a sentence.
    var advice: String {
      switch self {
      case .none: "Set AEM_AUTH_TYPE and the credentials in the content configuration."
      case .basic: "Check AEM_USERNAME and AEM_PASSWORD."
      case .token: "Check the token; it may have expired (AEM_TOKEN; a development token lasts 24 hours)."
      case .service: "Check AEM_SERVICE_CREDENTIALS, and that the technical account may read the content."
      }
    }
  }

  /// The scheme of the server's address: "http" or "https".
  package let scheme: String
  /// The host, with its port when the configuration names one.
  package let host: String
  /// The credentials for the server.
  package let authentication: Authentication
  /// The warnings for settings that are allowed and probably not intended.
  package let warnings: [XCConfig.Warning]

  /// The host and port at which AEM publish listens by default.
  package static let defaultHost = "127.0.0.1:4503"

  /// The AEM of this machine, without authentication.
  package init() {
    scheme = "http"
    host = Self.defaultHost
    authentication = .none
    warnings = []
  }

  /// - Throws: `ConfigurationError` for a scheme, host, user name, password or token that cannot be used.
  package init(scheme: String, host: String, authentication: Authentication = .none) throws(ConfigurationError) {
    try self.init(scheme: scheme, host: host, authentication: authentication) { _ in nil }
  }

  /// Reads `AEM_SCHEME`, `AEM_HOST`, `AEM_AUTH_TYPE`, `AEM_USERNAME`, `AEM_PASSWORD`, `AEM_TOKEN` and
  /// `AEM_SERVICE_CREDENTIALS`, with the file that the last one names.
  ///
  /// A key that is not set is the same as an empty one. The defaults are `http`, `127.0.0.1:4503` and no
  /// authentication; an `AEM_AUTH_TYPE` other than `basic`, `token` and `service` means none.
  ///
  /// - Throws: `ConfigurationError` with the key, file and line.
  package init(_ settings: XCConfig) throws(ConfigurationError) {
    let place = { (key: String) in settings.setting(key)?.place }
    var warnings: [XCConfig.Warning] = []
    let authentication: Authentication
    switch settings["AEM_AUTH_TYPE"].lowercased() {
    case "basic": authentication = .basic(user: settings["AEM_USERNAME"], password: Secret(settings["AEM_PASSWORD"]))
    case "token": authentication = .token(Secret(settings["AEM_TOKEN"]))
    case "service": authentication = try Self.service(settings, &warnings)
    default: authentication = .none
    }
    try self.init(
      scheme: settings["AEM_SCHEME"], host: settings["AEM_HOST"], authentication: authentication, warnings: warnings,
      place: { place($0) ?? place("AEM_AUTH_TYPE") })
  }

  private init(
    scheme: String, host: String, authentication: Authentication, warnings: [XCConfig.Warning] = [],
    place: @escaping (String) -> XCConfig.Place?
  ) throws(ConfigurationError) {
    let check = ConfigurationCheck(place: place)
    self.scheme = try check.scheme(scheme)
    self.host = try check.host(host, scheme: self.scheme)
    try check.authentication(authentication)
    self.authentication = authentication
    self.warnings = warnings
  }

  /// Reads service credentials from a file; a relative path starts from the folder of the settings file that names it.
  private static func service(
    _ settings: XCConfig, _ warnings: inout [XCConfig.Warning]
  ) throws(ConfigurationError) -> Authentication {
    let key = "AEM_SERVICE_CREDENTIALS"
    guard let setting = settings.setting(key), !setting.value.isEmpty else {
      throw ConfigurationError(
        "AEM_AUTH_TYPE is service and \(key) is empty.",
        recovery: "Write the path of the file that the developer console of AEM gave: \(key) = service.json.", key: key,
        place: settings.setting(key)?.place ?? settings.setting("AEM_AUTH_TYPE")?.place)
    }
    let path = Folder.path(setting.value, in: Folder.parent(of: setting.place.file))
    let file = CredentialsFile(path: path)
    do throws(CredentialError) {
      let authentication = try file.authentication()
      if file.isReadableByOthers {
        warnings.append(
          XCConfig.Warning(
            "Other users of this machine can read \(quotable(path)), which holds secrets.",
            recovery: "Run chmod 600 on it.", place: setting.place))
      }
      return authentication
    } catch {
      throw ConfigurationError(error.message, recovery: error.recovery, key: key, place: setting.place)
    }
  }

  /// `scheme://host`, as requests begin.
  package var origin: String { "\(scheme)://\(host)" }

  /// Whether AEM is expected on this machine.
  package var isLoopback: Bool { HTTPOrigin(url: origin)?.isLoopback ?? false }
}
