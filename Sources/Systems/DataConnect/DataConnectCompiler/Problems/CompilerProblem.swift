package import GraphQL

/// What is wrong with a project, or may be, and what to do about it.
package struct CompilerProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Severity: String, Sendable, Hashable {
    /// Nothing can be made of the project.
    case error
    /// The project works, though maybe not as it was meant.
    case warning
  }

  package let severity: Severity
  /// What is wrong, as one sentence.
  package let message: String
  /// What to do about it, as one sentence.
  package let fix: String?
  /// What it is about, as a word for programs.
  package let code: String
  /// Where; `nil` for what concerns no single place.
  package let location: SourceLocation?

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

  /// `file:line:column: severity: message fix`, without the place where there is none.
  package var description: String {
    let place = location.map { "\($0): " } ?? ""
    return "\(place)\(severity.rawValue): \(message)\(fix.map { " \($0)" } ?? "")"
  }
}
