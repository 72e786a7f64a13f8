public import JSON

/// What carries operations to a server and brings results back.
public protocol DataConnectTransport: Sendable {
  /// Executes an operation once.
  ///
  /// - Throws: a `DataConnectError` when there is no response at all; errors in a response are part of it.
  func execute(_ request: OperationRequest) async throws -> OperationResponse
  /// The results of a query: the first, then one for each change, until the stream is dropped.
  func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error>
}

/// One execution of an operation.
public struct OperationRequest: Sendable, Hashable {
  /// What an operation does.
  public enum Kind: String, Sendable, Hashable {
    /// It reads.
    case query
    /// It writes.
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
  /// What the operation does.
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

/// What came back.
public struct OperationResponse: Sendable, Hashable {
  /// The result; `nil` or null when there is none.
  public let data: JSONValue?
  /// What went wrong in some or all fields.
  public let errors: [OperationFailureResponse.Failure]
  /// Where the result is from.
  public let source: DataSource

  /// A response.
  public init(data: JSONValue?, errors: [OperationFailureResponse.Failure] = [], source: DataSource = .server) {
    self.data = data
    self.errors = errors
    self.source = source
  }
}
