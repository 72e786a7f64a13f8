package import JSON

/// An operation of a connector with its variables.
package struct DataOperation: Sendable, Hashable {
  /// What an operation does.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It reads.
    case query
    /// It writes.
    case mutation
  }

  /// The name, as the connector's files write it.
  package var name: String
  package var kind: Kind
  /// The variables that are set.
  package var variables: JSONObject

  package init(_ name: String, kind: Kind, variables: JSONObject = [:]) {
    self.name = name
    self.kind = kind
    self.variables = variables
  }
}
