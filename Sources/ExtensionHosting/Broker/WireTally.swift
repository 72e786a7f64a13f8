import JSONRPC

/// What came over a wire that should not have: counted, with the first piece kept as evidence.
struct WireTally: Sendable {
  private var counts: [String: Int] = [:]
  private var first: [String: String] = [:]

  /// - Returns: whether this is the first event of its kind.
  mutating func add(_ event: WireEvent) -> Bool {
    let (kind, text) = Self.describe(event)
    counts[kind, default: 0] += 1
    guard first[kind] == nil else { return false }
    first[kind] = text
    return true
  }

  /// Sentences for a reader, or `nil` when nothing came.
  var summary: String? {
    if counts.isEmpty { return nil }
    return counts.keys.sorted().map { kind in
      let times = counts[kind] == 1 ? "" : " (\(counts[kind] ?? 0) times)"
      return "It sent \(kind)\(times): \(first[kind] ?? "")."
    }.joined(separator: " ")
  }

  private static func describe(_ event: WireEvent) -> (kind: String, text: String) {
    ("", "\(event)")
  }
}
