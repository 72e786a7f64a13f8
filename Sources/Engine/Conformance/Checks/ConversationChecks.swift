import ExtensionHosting
import ExtensionProtocol
import JSON
import JSONRPC

/// The checks of the conversations that the other checks had with a real host.
extension ConformanceCheck {
  static let conversation = [
    ConformanceCheck(
      "own-ids", "The ids of the extension's own requests are whole numbers or short strings, each used once.",
      advice: "Count your requests, and use the count as the id."
    ) { context in
      var count = 0
      for frames in try await context.conversations() {
        var seen: Set<JSONValue> = []
        for frame in frames where !frame.isFromHost && frame.message["method"] != nil {
          guard let id = frame.message["id"] else { continue }
          count += 1
          let isGood = id.integerValue != nil || (id.stringValue.map { $0.utf8.count <= 64 } ?? false)
          guard isGood else { throw CheckFailure("It used \(JSONCoding.text(of: id)) as an id.") }
          guard seen.insert(id).inserted else { throw CheckFailure("It used the id \(JSONCoding.text(of: id)) twice.") }
        }
      }
      if count == 0 { throw CheckSkipped("It called nothing of the host.") }
      return "\(count) calls"
    },
    ConformanceCheck(
      "progress", "$/progress rises.",
      advice: "Send how much is done, never less than before, at most ten times a second."
    ) { context in
      var count = 0
      for frames in try await context.conversations() {
        var last: [JSONValue: Double] = [:]
        for frame in frames where !frame.isFromHost && frame.message["method"]?.stringValue == Progress.method {
          count += 1
          guard let params = frame.message["params"], let token = params["token"],
            let value = params["progress"]?.doubleValue
          else { throw CheckFailure("Its progress has no token or no number: \(JSONCoding.text(of: frame.message)).") }
          guard last[token].map({ $0 < value }) ?? true else {
            throw CheckFailure("Its progress went from \(last[token] ?? 0) to \(value).")
          }
          last[token] = value
        }
      }
      if count == 0 { throw CheckSkipped("It reported none.") }
      return "\(count) reports"
    },
  ]
}
