import ConfigurationFiles
public import ExtensionHosting
public import ExtensionProtocol
import IdentityServices

extension DataService {
  /// The Data Connect server of a host app.
  public struct Server: Sendable {
    /// The project of the services.
    public var project: String
    /// A name or an address; the public server unless another is given.
    public var host = "firebasedataconnect.googleapis.com"
    /// From 1 to 65535.
    public var port = 443
    /// The key of the project's app.
    public var apiKey: String?
    /// Where services are found when an extension does not say it, such as `us-east4`.
    public var location: String?
    /// Whether extensions may name an emulator of this machine: for development.
    public var allowsEmulator = false

    /// A project on the public server.
    public init(project: String) { self.project = project }
  }

  /// Creates a service that sends operations to a server over TLS, with the tokens of the apps' signed-in users.
  ///
  /// - Parameters:
  ///   - state: the directory for results and tokens.
  ///   - registry: the installed apps, with their identity servers.
  ///   - server: the Data Connect server.
  /// - Throws: `storeFailed` when the folder of the results cannot be made.
  public convenience init(
    state: StateDirectory, registry: ExtensionRegistry, server: Server
  ) throws(ExtensionError) {
    let identities = IdentityBook(state: state) { app throws(ExtensionError) in
      try registry.identity(ofApp: app)
    }
    let settings = DataServer(
      project: server.project, host: server.host, port: server.port, apiKey: server.apiKey.map { Secret($0) },
      location: server.location, allowsEmulator: server.allowsEmulator)
    self.init(
      carrier: ClientCarrier(settings, cacheFolder: try state.folder("cache/data"), identities: identities))
  }
}
