import Text

/// Problems as they are found, up to a limit.
struct ContentProblemList {
  private(set) var problems: [ContentProblem] = []
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { problems.isEmpty }

  /// A problem of a whole file.
  mutating func add(_ file: String, _ message: String, _ recovery: String) { add(file, nil, message, recovery) }

  mutating func add(_ file: String, _ place: SourcePlace?, _ message: String, _ recovery: String) {
    guard problems.count < limit else { return }
    problems.append(
      ContentProblem(file: file, line: place?.line, column: place?.column, message: message, recovery: recovery))
  }

  /// In the order of files and places.
  var sorted: [ContentProblem] {
    problems.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.file != other.file { return one.file < other.file }
      return (one.line ?? 0, one.column ?? 0, left.offset) < (other.line ?? 0, other.column ?? 0, right.offset)
    }.map(\.element)
  }
}

/// A line and a column, both from 1.
struct SourcePlace: Sendable, Hashable {
  let line: Int
  let column: Int
}

extension String {
  /// A foreign text inside of a message: cut, and without characters that a terminal obeys.
  var shownInProblem: String { shownInMessage(limit: 120) }

  /// The same between quotation marks.
  var quotedInProblem: String { "\"\(shownInProblem)\"" }
}
