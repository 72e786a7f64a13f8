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
    switch event {
    case .noise(let noise):
      return ("bytes that are no message", "\"\(StandardErrorRing.printable(noise.beginning.utf8))\"")
    case .malformed(let error): return ("messages that are not JSON", "\(error)")
    case .invalid(let why): return ("JSON that is no message", why)
    case .unknownResponse(let id): return ("answers with an id that nobody asked for", "\(id)")
    case .duplicateResponse(let id): return ("second answers", "\(id)")
    case .lateResponse(let id): return ("answers that came too late", "\(id)")
    case .anonymousError(let error): return ("errors without an id", error.message)
    case .duplicateRequest(let id): return ("requests with an id that is in use", "\(id)")
    case .unknownCancellation: return ("cancellations of nothing", "")
    case .tooManyRequests(let id): return ("more requests than may be open", "\(id)")
    case .notificationDropped(let method): return ("more notifications than can be served", method)
    case .notificationFailed(let method, let error): return ("notifications that failed", "\(method): \(error.message)")
    case .answerReplaced(let id, let error): return ("requests whose answer did not fit", "\(id): \(error.message)")
    }
  }
}
