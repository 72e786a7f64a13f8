public import DataConnectWire
import JSON
import Synchronization

/// A client of one connector. All that ask for the same connector with the same settings share one.
public final class DataConnect: Sendable {
  /// Where an emulator is found when nothing else is said.
  public enum EmulatorDefaults {
    /// This machine.
    public static let host = "127.0.0.1"
    /// The port that emulators listen on.
    public static let port = 9399
  }

  /// The connector.
  public let connectorConfig: ConnectorConfig
  /// The server.
  public let settings: DataConnectSettings

  private let transport: (any DataConnectTransport)?
  private let emulator = Mutex<OperationRequest.Emulator?>(nil)
  let references = ReferenceTable()

  /// A client that is not shared.
  ///
  /// - Parameter transport: what carries its operations; by default the one that is installed when it executes one, and in
  ///   an extension its host.
  public init(
    connectorConfig: ConnectorConfig, settings: DataConnectSettings = DataConnectSettings(),
    transport: (any DataConnectTransport)? = nil
  ) {
    self.connectorConfig = connectorConfig
    self.settings = settings
    self.transport = transport
  }

  /// The client of a connector, the same one for the same connector and settings.
  public static func dataConnect(
    connectorConfig: ConnectorConfig, settings: DataConnectSettings = DataConnectSettings(),
    callerSDKType: CallerSDKType = .base
  ) -> DataConnect {
    ClientTable.shared.client(connectorConfig, settings)
  }

  /// Installs the transport of all present and future clients that have none of their own.
  public static func install(_ transport: any DataConnectTransport) { ClientTable.shared.install(transport) }

  /// Sends all further operations to an emulator, including those of existing references.
  public func useEmulator(host: String = EmulatorDefaults.host, port: Int = EmulatorDefaults.port) {
    emulator.withLock { $0 = OperationRequest.Emulator(host: host, port: port) }
  }

  func request(
    _ operation: String, _ kind: OperationRequest.Kind, _ variables: JSONObject, _ policy: QueryFetchPolicy
  ) -> OperationRequest {
    OperationRequest(
      connector: connectorConfig, settings: settings, emulator: emulator.withLock(\.self), operation: operation,
      kind: kind, variables: variables, fetchPolicy: policy)
  }

  /// - Throws: `DataConnectInitError` when there is none.
  func carrier() throws -> any DataConnectTransport {
    if let carrier = transport ?? ClientTable.shared.transport ?? HostPath.transport { return carrier }
    throw DataConnectInitError.appNotConfigured
  }
}
