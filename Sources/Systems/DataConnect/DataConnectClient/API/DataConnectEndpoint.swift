package import ConfigurationFiles

/// One connector on one server.
package struct DataConnectEndpoint: Sendable, Hashable {
  /// The name or address of the server; an IPv6 address with or without brackets.
  package var host: String
  /// 1 to 65535.
  package var port: Int
  /// Whether TLS is spoken.
  package var isSecure: Bool
  /// The project of the service.
  package var project: String
  /// Where the service runs, such as "us-east4".
  package var location: String
  /// The service, as `dataconnect.yaml` calls it.
  package var service: String
  /// The connector, as `connector.yaml` calls it.
  package var connector: String
  /// The key of the project's app, which emulators do not ask for.
  package var apiKey: Secret?
  /// Whether the server has to be on this machine, whatever its name resolves to.
  package var isLoopbackOnly: Bool

  /// Creates an endpoint. The arguments are described at the properties.
  package init(
    host: String, port: Int, isSecure: Bool, project: String, location: String, service: String, connector: String,
    apiKey: Secret? = nil, isLoopbackOnly: Bool = false
  ) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
    self.project = project
    self.location = location
    self.service = service
    self.connector = connector
    self.apiKey = apiKey
    self.isLoopbackOnly = isLoopbackOnly
  }

  /// Hashes all members except the key, which is secret.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(port)
    hasher.combine(isSecure)
    hasher.combine(project)
    hasher.combine(location)
    hasher.combine(service)
    hasher.combine(connector)
    hasher.combine(isLoopbackOnly)
  }
}
