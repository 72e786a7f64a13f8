import JSON

/// What subscribers have in common that share one execution.
struct QueryKey: Sendable, Hashable {
  let service: String
  let connector: String
  let operation: String
  /// As the client sent them.
  let variables: JSONObject
  /// `nil` where the result is the same for everybody who may see it.
  let caller: OperationCaller?
}
