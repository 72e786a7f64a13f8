public import JSON
import Synchronization

/// Sends operations to a server and returns their results.
public protocol DataConnectTransport: Sendable {
  /// Executes an operation once.
  ///
  /// - Throws: a `DataConnectError` when there is no response at all; errors in a response are part of it.
  func execute(_ request: OperationRequest) async throws -> OperationResponse
  /// The results of a query: the first, then one for each change, until the stream is dropped.
  func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error>
}

/// One request to execute an operation.
public struct OperationRequest: Sendable, Hashable {
  /// The kinds of operation.
  public enum Kind: String, Sendable, Hashable {
    /// The operation reads.
    case query
    /// The operation writes.
    case mutation
  }

  /// A server of a developer.
  public struct Emulator: Sendable, Hashable {
    /// The name or address.
    public let host: String
    /// The port.
    public let port: Int

    /// Names an emulator by its host and its port.
    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }
  }

  /// The connector that has the operation.
  public let connector: ConnectorConfig
  /// The server; its own words are void where there is an emulator.
  public let settings: DataConnectSettings
  /// The emulator in place of the server.
  public let emulator: Emulator?
  /// The operation's name.
  public let operation: String
  /// Whether the operation reads or writes.
  public let kind: Kind
  /// The variables that are set.
  public let variables: JSONObject
  /// Where the result of a query may come from.
  public let fetchPolicy: QueryFetchPolicy

  /// A request; the fetch policy says nothing for a mutation.
  package init(
    connector: ConnectorConfig, settings: DataConnectSettings, emulator: Emulator?, operation: String, kind: Kind,
    variables: JSONObject, fetchPolicy: QueryFetchPolicy
  ) {
    self.connector = connector
    self.settings = settings
    self.emulator = emulator
    self.operation = operation
    self.kind = kind
    self.variables = variables
    self.fetchPolicy = fetchPolicy
  }
}

/// The response to an operation.
public struct OperationResponse: Sendable, Hashable {
  /// The result; `nil` or null when there is none.
  public let data: JSONValue?
  /// The errors of single fields; empty when all succeeded.
  public let errors: [OperationFailureResponse.Failure]
  /// Where the result comes from.
  public let source: DataSource

  /// A response.
  public init(data: JSONValue?, errors: [OperationFailureResponse.Failure] = [], source: DataSource = .server) {
    self.data = data
    self.errors = errors
    self.source = source
  }
}

/// The transport through the host of an extension. The program's clients use it where nobody named another one.
package enum HostPath {
  private static let slot = Mutex<(any DataConnectTransport)?>(nil)

  /// `nil` in a program that is no extension.
  package static var transport: (any DataConnectTransport)? { slot.withLock(\.self) }

  /// Sets the transport, once, when the session of an extension begins.
  package static func set(_ transport: any DataConnectTransport) { slot.withLock { $0 = transport } }
}
