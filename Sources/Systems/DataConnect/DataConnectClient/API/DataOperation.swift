package import JSON

/// An operation of a connector with its variables.
package struct DataOperation: Sendable, Hashable {
  /// The name, as the connector's files write it.
  package var name: String
  /// What it does.
  package var kind: OperationRequest.Kind
  /// The variables that are set.
  package var variables: JSONObject

  package init(_ name: String, kind: OperationRequest.Kind, variables: JSONObject = [:]) {
    self.name = name
    self.kind = kind
    self.variables = variables
  }
}
