/// A mutation with its variables.
public struct MutationRef<ResultData: Decodable & Sendable, Variables: OperationVariable>: Sendable, Hashable {
  private let client: DataConnect
  private let operation: String
  /// The variables.
  public let variables: Variables

  init(client: DataConnect, operation: String, variables: Variables) {
    self.client = client
    self.operation = operation
    self.variables = variables
  }

  /// Whether two references are of one client, one mutation and equal variables.
  public static func == (left: MutationRef, right: MutationRef) -> Bool {
    left.client === right.client && left.operation == right.operation && left.variables == right.variables
  }

  /// Puts in what makes references equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(client))
    hasher.combine(operation)
    hasher.combine(variables)
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
