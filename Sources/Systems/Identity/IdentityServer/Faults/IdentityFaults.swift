package import HTTPServer
import JSON
internal import Synchronization

/// The faults to inject in place of answers, and the active ``Quirk``s. Callers may change both while the server runs.
package final class IdentityFaults: Sendable {
  private let plan = FaultPlan<IdentityFault>()
  private let quirks: Mutex<Set<Quirk>>

  init(quirks: Set<Quirk>) { self.quirks = Mutex(quirks) }

  /// Replaces the active deviations.
  package func set(_ quirks: Set<Quirk>) { self.quirks.withLock { $0 = quirks } }

  /// Returns whether a deviation is active.
  package func has(_ quirk: Quirk) -> Bool { quirks.withLock { $0.contains(quirk) } }

  /// - Parameters:
  ///   - path: how the path of the request ends, or begins, such as `token` or `/api1`.
  ///   - count: how often it goes wrong.
  package func add(_ fault: IdentityFault, at path: String, count: Int = 1) {
    plan.add(fault, count: count) { $0.hasSuffix(path) || $0.hasPrefix(path) }
  }

  /// Everything goes right again.
  package func clear() {
    plan.clear()
    quirks.withLock { $0 = [] }
  }

  func next(for path: String) -> IdentityFault? { plan.next(for: path) }

  /// Adds a fault in words: `PATH=KIND` or `PATH=KIND*COUNT`, with the kinds `503` (any status), `slow:MILLISECONDS`,
  /// `dropped`, `droppedAfter`, `halved`, `page` and `cut`.
  ///
  /// - Throws: `IdentityServerError` when the words are none.
  package func add(_ words: String) throws(IdentityServerError) {
    let failure = IdentityServerError(
      "\"\(words.prefix(80))\" is not a fault.",
      recovery: "Write PATH=KIND or PATH=KIND*COUNT: token=503*2, token=slow:500, /api1=dropped, token=page.")
    guard let equals = words.firstIndex(of: "="), equals != words.startIndex else { throw failure }
    let parts = words[words.index(after: equals)...].split(separator: "*", omittingEmptySubsequences: false)
    guard let kind = parts.first, parts.count <= 2, let count = parts.count == 2 ? Int(parts[1]) : 1,
      (1...1_000_000).contains(count)
    else { throw failure }
    let fault: IdentityFault
    switch kind {
    case "dropped": fault = .dropped
    case "droppedAfter": fault = .droppedAfter
    case "halved": fault = .halved
    case "page": fault = .page
    case "cut": fault = .cut
    default:
      if kind.hasPrefix("slow:"), let milliseconds = Int(kind.dropFirst(5)), (0...600_000).contains(milliseconds) {
        fault = .slow(.milliseconds(milliseconds))
      } else if let status = Int(kind), (400...599).contains(status) {
        fault = .error(status, status == 429 || status == 503 ? "temporarily_unavailable" : "server_error")
      } else {
        throw failure
      }
    }
    add(fault, at: String(words[..<equals]), count: count)
  }
}

/// One thing that goes wrong in place of an answer of the identity server.
package enum IdentityFault: Sendable, Equatable {
  /// A status with no body, or for 429 and 503 with `Retry-After`.
  case status(Int)
  /// A status with an error in JSON.
  case error(Int, String)
  /// The answer comes so much later.
  case slow(Duration)
  /// The connection ends without an answer.
  case dropped
  /// The connection ends when the request was done.
  case droppedAfter
  /// The connection ends in the middle of the answer, when the request was done.
  case halved
  /// Status 200 and a page for people.
  case page
  /// Status 200 and a JSON text that stops in the middle.
  case cut
  /// A given response in place of the server's.
  case response(ServerResponse)
}

extension IdentityFault {
  /// The answer that takes the place of another.
  func response(to call: Call) -> ServerResponse {
    switch self {
    case .status(let status):
      var answer = ServerResponse(status: status)
      if status == 429 || status == 503 { answer.headers.append(ServerField("Retry-After", "1")) }
      return call.response(answer)
    case .error(let status, let error):
      var failure = OAuthFailure(status: status, error, 90_033, "A transient error has occurred. Please try again.")
      if status == 429 || status == 503 { failure.headers.append(ServerField("Retry-After", "1")) }
      return failure.response(to: call)
    case .dropped, .droppedAfter, .halved, .slow: return .dropped
    case .page: return call.page("<!doctype html><title>Sign in to the network</title><p>Welcome to the hotel.</p>")
    case .cut:
      return call.response(ServerResponse(text: "{\"token_type\":\"Bearer\",\"expi", contentType: "application/json"))
    case .response(let response): return response
    }
  }
}
