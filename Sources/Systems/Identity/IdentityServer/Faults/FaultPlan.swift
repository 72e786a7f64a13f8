package import HTTPServer
internal import Synchronization

/// What goes wrong in place of the answer; can be changed while the server runs.
package final class FaultPlan: Sendable {
  /// One thing that goes wrong.
  package enum Fault: Sendable, Equatable {
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
    /// Any response instead.
    case response(ServerResponse)
  }

  private struct Rule {
    let path: String
    let fault: Fault
    var count: Int
  }

  private let rules = Mutex<[Rule]>([])
  private let quirks: Mutex<Set<Quirk>>

  init(quirks: Set<Quirk>) { self.quirks = Mutex(quirks) }

  /// What the server does otherwise from now on.
  package func set(_ quirks: Set<Quirk>) { self.quirks.withLock { $0 = quirks } }

  package func has(_ quirk: Quirk) -> Bool { quirks.withLock { $0.contains(quirk) } }

  /// - Parameters:
  ///   - path: how the path of the request ends, or begins, such as `token` or `/api1`.
  ///   - count: how often it goes wrong.
  package func add(_ fault: Fault, at path: String, count: Int = 1) {
    rules.withLock { if $0.count < 1_000 { $0.append(Rule(path: path, fault: fault, count: count)) } }
  }

  /// Everything goes right again.
  package func clear() {
    rules.withLock { $0 = [] }
    quirks.withLock { $0 = [] }
  }

  func next(for path: String) -> Fault? {
    rules.withLock { rules in
      guard let index = rules.firstIndex(where: { path.hasSuffix($0.path) || path.hasPrefix($0.path) }) else {
        return nil
      }
      let fault = rules[index].fault
      rules[index].count -= 1
      if rules[index].count <= 0 { rules.remove(at: index) }
      return fault
    }
  }

  /// Adds a fault in words: `PATH=KIND` or `PATH=KIND*COUNT`, with the kinds `503` (any status), `slow:MILLISECONDS`,
  /// `dropped`, `droppedAfter`, `halved`, `page` and `cut`.
  ///
  /// - Throws: `IdentityServerError` when the words are none.
  package func add(_ words: String) throws(IdentityServerError) {
    let failure = IdentityServerError(
      "\"\(words.prefix(80))\" is no fault.",
      recovery: "Write PATH=KIND or PATH=KIND*COUNT: token=503*2, token=slow:500, /api1=dropped, token=page.")
    guard let equals = words.firstIndex(of: "="), equals != words.startIndex else { throw failure }
    let parts = words[words.index(after: equals)...].split(separator: "*", omittingEmptySubsequences: false)
    guard let kind = parts.first, parts.count <= 2, let count = parts.count == 2 ? Int(parts[1]) : 1,
      (1...1_000_000).contains(count)
    else { throw failure }
    let fault: Fault
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
