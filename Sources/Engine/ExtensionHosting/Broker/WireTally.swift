import ExtensionProtocol
import JSON
import JSONRPC
import Text

/// What came over a wire that should not have: counted, with the first piece kept as evidence.
struct WireTally: Sendable {
  private var counts: [String: Int] = [:]
  private var first: [String: String] = [:]
  /// Bytes of the evidence.
  private static let shown = 400

  /// - Returns: what came, in words and safe to print, when it is the first event of its kind.
  mutating func add(_ event: WireEvent) -> String? {
    let (kind, text) = Self.describe(event)
    counts[kind, default: 0] += 1
    guard first[kind] == nil else { return nil }
    // A sample for a reader, of what may be as long as a message.
    let evidence = StandardErrorRing.printable(Secrets.redacted(text.prefix(utf8: Self.shown)).utf8)
    first[kind] = evidence
    return Self.sentence(kind, times: 1, first: evidence)
  }

  /// Sentences for a reader, or `nil` when nothing came.
  var summary: String? {
    if counts.isEmpty { return nil }
    return counts.keys.sorted().map { Self.sentence($0, times: counts[$0] ?? 0, first: first[$0] ?? "") }
      .joined(separator: " ")
  }

  private static func sentence(_ kind: String, times: Int, first: String) -> String {
    let count = times == 1 ? "" : " (\(times) times)"
    let evidence = first.isEmpty ? "" : ": \(first)"
    return "It sent \(kind)\(count)\(evidence)\(evidence.hasSuffix(".") ? "" : ".")"
  }

  private static func describe(_ event: WireEvent) -> (kind: String, text: String) {
    switch event {
    case .noise(let noise):
      return ("bytes that are not a message", "\"\(noise.beginning)\"")
    case .malformed(let error): return ("messages that are not JSON", "\(error)")
    case .invalid(let why): return ("JSON that is not a message", why)
    case .unknownResponse(let id): return ("answers with an id that nobody asked for", "\(id)")
    case .duplicateResponse(let id): return ("second answers", "\(id)")
    case .lateResponse(let id): return ("answers that came too late", "\(id)")
    case .anonymousError(let error): return ("errors without an id", error.message)
    case .duplicateRequest(let id): return ("requests with an id that is in use", "\(id)")
    case .unknownCancellation: return ("cancellations of nothing", "")
    case .tooManyRequests(let id): return ("more requests than may be open", "\(id)")
    case .notificationDropped(let method): return ("more notifications than can be served", method)
    case .notificationFailed(let method, let error): return ("notifications that failed", "\(method): \(error.message)")
    case .unknownStream(let id): return ("data for streams that are not there", id)
    case .streamViolation(let id, let why): return ("streams against the rules", "\(id): \(why)")
    case .answerReplaced(let id, let error): return ("requests whose answer did not fit", "\(id): \(error.message)")
    }
  }
}
