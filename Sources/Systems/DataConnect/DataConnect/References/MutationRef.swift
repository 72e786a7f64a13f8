/// A mutation with its variables.
public struct MutationRef<ResultData: Decodable & Sendable, Variables: OperationVariable>: Sendable {
  private let client: DataConnect
  private let operation: String
  /// The variables.
  public let variables: Variables

  init(client: DataConnect, operation: String, variables: Variables) {
    self.client = client
    self.operation = operation
    self.variables = variables
  }

  /// Executes the mutation once.
  ///
  /// - Throws: a `DataConnectError`.
  public func execute() async throws -> OperationResult<ResultData> {
    let object = try VariableEncoder.object(of: variables)
    let request = client.request(operation, .mutation, object, .serverOnly)
    let response = try await client.carrier().execute(request)
    guard let data = try response.checkedData() else {
      throw DataConnectOperationError(message: "The mutation gave no data.")
    }
    return OperationResult(data: try ResponseValue.decode(ResultData.self, from: data), source: response.source)
  }
}
