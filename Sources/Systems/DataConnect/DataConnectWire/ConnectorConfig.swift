/// Which connector of which service a client talks to.
public struct ConnectorConfig: Sendable, Hashable {
  /// The service, as `dataconnect.yaml` calls it.
  public let serviceId: String
  /// Where the service runs.
  public let location: String
  /// The connector, as `connector.yaml` calls it.
  public let connector: String

  /// A connector of a service.
  public init(serviceId: String, location: String, connector: String) {
    self.serviceId = serviceId
    self.location = location
    self.connector = connector
  }
}
