import GraphQL
import Text

/// Problems as they are found, up to a limit, each said once.
struct ProblemList {
  private(set) var problems: [CompilerProblem] = []
  private var seen: Set<CompilerProblem> = []
  let sources: [GraphQLSource]
  private let limit: Int
  /// The lines of the sources that have problems.
  private var lines: [UInt32: LineTable] = [:]

  init(_ sources: [GraphQLSource] = [], limit: Int = 200) {
    self.sources = sources
    self.limit = limit
  }

  var hasErrors: Bool { problems.contains { $0.severity == .error } }

  mutating func add(_ problem: CompilerProblem) {
    if problems.count < limit, seen.insert(problem).inserted { problems.append(problem) }
  }

  mutating func add(_ message: String, fix: String? = nil, code: String, at position: SourcePosition) {
    note(.error, message, fix, code, position)
  }

  mutating func warn(_ message: String, fix: String? = nil, code: String, at position: SourcePosition) {
    note(.warning, message, fix, code, position)
  }

  private mutating func note(
    _ severity: CompilerProblem.Severity, _ message: String, _ fix: String?, _ code: String, _ position: SourcePosition
  ) {
    if problems.count >= limit { return }
    add(CompilerProblem(severity, message, fix: fix, code: code, at: location(of: position)))
  }

  private mutating func location(of position: SourcePosition) -> SourceLocation? {
    guard sources.indices.contains(Int(position.source)) else { return nil }
    let table = lines[position.source] ?? LineTable(sources[Int(position.source)])
    lines[position.source] = table
    return table.location(of: Int(position.offset))
  }

  mutating func add(_ errors: [GraphQLError]) { for error in errors { add(CompilerProblem(error)) } }

  /// In the order of the files and of the places in them.
  var sorted: [CompilerProblem] {
    let order = Dictionary(sources.enumerated().map { ($1.name, $0) }) { first, _ in first }
    func key(_ found: (offset: Int, element: CompilerProblem)) -> (Int, Int, Int, Int) {
      guard let place = found.element.location else { return (-1, 0, 0, found.offset) }
      return (order[place.file] ?? sources.count, place.line, place.column, found.offset)
    }
    return problems.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }
}

/// "Did you mean …?" for a name that is not there, from a bounded number of those that are; else what is offered instead.
func suggestion(for name: String, among names: some Sequence<String>, otherwise: String? = nil) -> String? {
  didYouMean(nearMisses(of: String(name.prefix(64)), in: names.prefix(2_000))) ?? otherwise
}

extension String {
  /// A name inside of a message: cut, and without characters that a terminal obeys.
  var quoted: String { "\"\(shown)\"" }

  /// The text of another author, escaped for a message.
  var shown: String { shownInMessage() }
}
