/// A query with its variables, however it is observed.
struct QueryCore<ResultData: Decodable & Sendable, Variables: OperationVariable>: Sendable {
  let client: DataConnect
  let operation: String
  let variables: Variables

  func request(_ policy: QueryFetchPolicy) throws -> OperationRequest {
    client.request(operation, .query, try VariableEncoder.object(of: variables), policy)
  }

  func execute(_ policy: QueryFetchPolicy) async throws -> OperationResult<ResultData> {
    let request = try request(policy)
    return try Self.result(of: try await client.carrier().execute(request))
  }

  static func result(of response: OperationResponse) throws -> OperationResult<ResultData> {
    let data = try response.checkedData()
    return OperationResult(
      data: try data.map { try ResponseValue.decode(ResultData.self, from: $0) }, source: response.source)
  }
}
