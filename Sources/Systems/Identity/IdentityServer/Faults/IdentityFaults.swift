internal import HTTPServer
internal import Synchronization

/// What goes wrong in place of the answers of the identity server, and its ``Quirk``s; can be changed while it runs.
package final class IdentityFaults: Sendable {
  private let plan = FaultPlan<IdentityFault>()
  private let quirks: Mutex<Set<Quirk>>

  init(quirks: Set<Quirk>) { self.quirks = Mutex(quirks) }

  /// What the server does otherwise from now on.
  package func set(_ quirks: Set<Quirk>) { self.quirks.withLock { $0 = quirks } }

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
      "\"\(words.prefix(80))\" is no fault.",
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
