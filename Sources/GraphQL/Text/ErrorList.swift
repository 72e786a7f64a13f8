import Spelling

/// Errors as they are found, up to a limit, each said once.
struct ErrorList {
  private(set) var errors: [GraphQLError] = []
  private var seen: Set<GraphQLError> = []
  let sources: [GraphQLSource]
  let limit: Int

  init(sources: [GraphQLSource], limit: Int) {
    self.sources = sources
    self.limit = limit
  }

  /// Whether nothing more is added.
  var isFull: Bool { errors.count >= limit }

  mutating func add(_ message: String, fix: String? = nil, code: String, at position: SourcePosition) {
    add(message, fix: fix, code: code, at: [position])
  }

  mutating func add(_ message: String, fix: String? = nil, code: String, at positions: [SourcePosition]) {
    if isFull { return }
    // Of a name that comes a thousand times the first few places are enough.
    add(GraphQLError(message, fix: fix, code: code, locations: positions.prefix(8).compactMap(sources.location)))
  }

  mutating func add(_ error: GraphQLError) {
    if !isFull, seen.insert(error).inserted { errors.append(error) }
  }
}

/// "Did you mean …?" for a name that is not there, from a bounded number of those that are.
func suggestion(for name: String, among names: some Sequence<String>) -> String? {
  didYouMean(nearMisses(of: String(name.prefix(64)), in: names.prefix(2_000)))
}
