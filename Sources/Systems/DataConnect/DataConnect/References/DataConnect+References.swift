import JSON

extension DataConnect {

  /// A mutation with its variables.
  public func mutation<ResultData: Decodable & Sendable, Variables: OperationVariable>(
    name: String, variables: Variables, resultsDataType: ResultData.Type
  ) -> MutationRef<ResultData, Variables> {
    MutationRef(client: self, operation: name, variables: variables)
  }

  /// A query with its variables, which views observe.
  public func query<ResultData: Decodable & Sendable, Variables: OperationVariable>(
    name: String, variables: Variables, resultsDataType: ResultData.Type
  ) -> QueryRefObservation<ResultData, Variables> {
    let core = QueryCore<ResultData, Variables>(client: self, operation: name, variables: variables)
    // Variables that cannot be written are not shared: executing them says why.
    guard let key = try? VariableEncoder.object(of: variables) else { return QueryRefObservation(core) }
    return references.reference(name, key) { QueryRefObservation(core) }
  }

  /// A query with its variables, which says before each change that it will change.
  public func observableQuery<ResultData: Decodable & Sendable, Variables: OperationVariable>(
    name: String, variables: Variables, resultsDataType: ResultData.Type
  ) -> QueryRefObservableObject<ResultData, Variables> {
    let core = QueryCore<ResultData, Variables>(client: self, operation: name, variables: variables)
    guard let key = try? VariableEncoder.object(of: variables) else { return QueryRefObservableObject(core) }
    return references.reference(name, key) { QueryRefObservableObject(core) }
  }
}
