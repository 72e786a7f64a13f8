import Text

/// Errors as they are found, up to a limit, each said once.
struct ErrorList {
  private(set) var errors: [GraphQLError] = []
  private var seen: Set<GraphQLError> = []
  /// The lines of the sources that have errors.
  private var lines: [UInt32: LineTable] = [:]
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
    var locations: [SourceLocation] = []
    for position in positions.prefix(8) { if let place = location(of: position) { locations.append(place) } }
    add(GraphQLError(message, fix: fix, code: code, locations: locations))
  }

  private mutating func location(of position: SourcePosition) -> SourceLocation? {
    guard sources.indices.contains(Int(position.source)) else { return nil }
    let table = lines[position.source] ?? LineTable(sources[Int(position.source)])
    lines[position.source] = table
    return table.location(of: Int(position.offset))
  }

  mutating func add(_ error: GraphQLError) {
    if !isFull, seen.insert(error).inserted { errors.append(error) }
  }
}

/// "Did you mean …?" for a name that is not there, from a bounded number of those that are.
func suggestion(for name: String, among names: some Sequence<String>) -> String? {
  didYouMean(nearMisses(of: String(name.prefix(64)), in: names.prefix(2_000)))
}
