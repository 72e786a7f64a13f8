package import GraphQL

/// A difference that clients do not survive which have been shipped with an older connector.
package struct BreakingChange: Sendable, Hashable, CustomStringConvertible {
  /// The operation that it is about; `nil` for what concerns all.
  package let operation: String?
  /// What has changed, as one sentence.
  package let message: String
  /// What to do so that old clients go on working, as one sentence.
  package let fix: String
  /// Where the new connector has it; of what is gone, where the old one had it.
  package let location: SourceLocation?

  package init(operation: String?, message: String, fix: String, location: SourceLocation?) {
    self.operation = operation
    self.message = message
    self.fix = fix
    self.location = location
  }

  /// `file:line:column: message fix`.
  package var description: String { "\(location.map { "\($0): " } ?? "")\(message) \(fix)" }

  /// What would break clients of the old connector that call the new one.
  package static func between(_ old: CompiledConnector, and new: CompiledConnector) -> [BreakingChange] {
    var comparison = ConnectorComparison(old: old, new: new)
    comparison.run()
    return comparison.changes
  }
}
