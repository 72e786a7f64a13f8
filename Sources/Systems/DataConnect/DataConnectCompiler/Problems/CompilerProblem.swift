package import GraphQL

/// An error or a warning about a project, with advice.
package struct CompilerProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// How serious a problem is.
  package enum Severity: String, Sendable, Hashable {
    /// The project cannot be compiled.
    case error
    /// The project compiles, but may not do what was meant.
    case warning
  }

  /// How serious the problem is.
  package let severity: Severity
  /// What is wrong, as one sentence.
  package let message: String
  /// How to fix the problem, as one sentence; `nil` when the message says it.
  package let fix: String?
  /// A stable identifier of the sort of problem, for programs.
  package let code: String
  /// The place; `nil` when the problem concerns no single place.
  package let location: SourceLocation?

  /// Creates a problem; by default it is an error.
  package init(
    _ severity: Severity = .error, _ message: String, fix: String? = nil, code: String, at location: SourceLocation?
  ) {
    self.severity = severity
    self.message = message
    self.fix = fix
    self.code = code
    self.location = location
  }

  init(_ error: GraphQLError) {
    self.init(.error, error.message, fix: error.fix, code: error.code, at: error.locations.first)
  }

  /// The problem as one that does not keep the project from being compiled.
  var asWarning: CompilerProblem { CompilerProblem(.warning, message, fix: fix, code: code, at: location) }

  /// `file:line:column: severity: message fix`, without the place where there is none.
  package var description: String {
    let place = location.map { "\($0): " } ?? ""
    return "\(place)\(severity.rawValue): \(message)\(fix.map { " \($0)" } ?? "")"
  }
}
