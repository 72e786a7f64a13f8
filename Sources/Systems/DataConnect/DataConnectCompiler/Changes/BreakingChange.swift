package import GraphQL

/// A difference that breaks clients shipped with an older version of the connector.
package struct BreakingChange: Sendable, Hashable, CustomStringConvertible {
  /// The operation that changed; `nil` when the change affects the whole connector.
  package let operation: String?
  /// What has changed, as one sentence.
  package let message: String
  /// One sentence that says how to keep old clients working.
  package let fix: String
  /// The place in the new connector; for something removed, its place in the old one.
  package let location: SourceLocation?

  /// Creates a breaking change.
  package init(operation: String?, message: String, fix: String, location: SourceLocation?) {
    self.operation = operation
    self.message = message
    self.fix = fix
    self.location = location
  }

  /// `file:line:column: message fix`.
  package var description: String { "\(location.map { "\($0): " } ?? "")\(message) \(fix)" }

  /// Returns the changes that break clients of the old connector when they call the new one.
  package static func between(_ old: CompiledConnector, and new: CompiledConnector) -> [BreakingChange] {
    var comparison = ConnectorComparison(old: old, new: new)
    comparison.run()
    return comparison.changes
  }
}
