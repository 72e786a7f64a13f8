import DataConnectWire
import Synchronization

/// The clients of a process, and what carries their operations.
final class ClientTable: Sendable {
  static let shared = ClientTable()

  private struct Key: Hashable {
    let connector: ConnectorConfig
    let settings: DataConnectSettings
  }

  private struct State {
    var clients: [Key: DataConnect] = [:]
    var transport: (any DataConnectTransport)?
  }

  private let state = Mutex(State())

  var transport: (any DataConnectTransport)? { state.withLock { $0.transport } }

  func install(_ transport: any DataConnectTransport) { state.withLock { $0.transport = transport } }

  func client(_ connector: ConnectorConfig, _ settings: DataConnectSettings) -> DataConnect {
    state.withLock { state in
      let key = Key(connector: connector, settings: settings)
      if let client = state.clients[key] { return client }
      let client = DataConnect(connectorConfig: connector, settings: settings)
      state.clients[key] = client
      return client
    }
  }
}
