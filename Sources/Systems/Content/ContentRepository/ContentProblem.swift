/// An error in a folder of content.
package struct ContentProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file, below the root; empty for the root itself.
  package var file: String
  /// The line, from 1; nil for a problem of the whole file.
  package var line: Int?
  /// The column in bytes, from 1; nil for a problem of the whole file.
  package var column: Int?
  /// The problem, as one sentence.
  package var message: String
  /// The advice, as one sentence.
  package var recovery: String

  /// Creates a problem from its place, what is wrong and what to do.
  package init(file: String, line: Int? = nil, column: Int? = nil, message: String, recovery: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.recovery = recovery
  }

  /// `file:line:column: `, as far as that is known.
  package var place: String {
    let place = [line, column].compactMap(\.self).reduce(file) { "\($0):\($1)" }
    return place.isEmpty ? "" : "\(place): "
  }

  /// The place, the message and the recovery: `file:line:column: message recovery`.
  package var description: String { "\(place)\(message) \(recovery)" }
}

/// Everything that is wrong with a folder of content, in the order of its files.
package struct ContentProblems: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems; at least one.
  package let problems: [ContentProblem]

  /// Creates the error from the problems of a folder.
  package init(_ problems: [ContentProblem]) { self.problems = problems }

  /// One problem on each line.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
