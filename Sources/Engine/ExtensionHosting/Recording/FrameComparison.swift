package import JSON
import Text

/// One difference between a recording and a replay.
package struct ReplayDifference: Sendable, Hashable {
  /// The kinds of difference.
  package enum Kind: String, Sendable {
    /// Recorded, and did not come.
    case missing
    /// Came, and was not recorded.
    case unexpected
    /// Came with another content.
    case changed
  }

  /// The kind of difference.
  package var kind: Kind
  /// The message, in words: `the answer to widget/performUpdate`.
  package var message: String
  /// Where in it, for example `result.view.text`; empty for the whole.
  package var path: String
  /// The recorded value; `nil` when the recording has none.
  package var recorded: JSONValue?
  /// The replayed value; `nil` when the replay has none.
  package var replayed: JSONValue?

  /// Creates a difference; `path` is that of the value in the message.
  package init(
    kind: Kind, message: String, path: String = "", recorded: JSONValue? = nil, replayed: JSONValue? = nil
  ) {
    self.kind = kind
    self.message = message
    self.path = path
    self.recorded = recorded
    self.replayed = replayed
  }
}

/// Compares what an extension sent with what it sent when it was recorded.
enum FrameComparison {
  /// Members that differ from run to run.
  private static let volatile: Set<String> = ["_meta", "uptimeMs", "queueBytes"]
  private static let limit = 20

  /// A place at which two values differ.
  typealias Difference = (path: String, recorded: JSONValue?, replayed: JSONValue?)

  /// Returns the places at which two values differ, at most 20.
  static func differences(_ recorded: JSONValue?, _ replayed: JSONValue?, path: String = "") -> [Difference] {
    // What was taken out may be anything, but it was there.
    if recorded == replayed || recorded == Redaction.mark && replayed != nil { return [] }
    switch (recorded, replayed) {
    case (.object(let one), .object(let other)):
      var found: [Difference] = []
      let names = one.keys + other.keys.filter { one[$0] == nil }
      for name in names where !volatile.contains(name) && found.count < limit {
        let inside = differences(one[name], other[name], path: path.isEmpty ? name : "\(path).\(name)")
        found += inside.prefix(limit - found.count)
      }
      return found
    case (.array(let one), .array(let other)) where one.count == other.count:
      var found: [Difference] = []
      for (index, pair) in zip(one, other).enumerated() where found.count < limit {
        found += differences(pair.0, pair.1, path: "\(path)[\(index)]").prefix(limit - found.count)
      }
      return found
    case (.string(let one), .string(let other)) where withoutTimes(one).hasBytes(of: withoutTimes(other)): return []
    // A recorded text has no secrets.
    case (.string, .string(let other)) where recorded == Redaction.apply(.string(other)): return []
    case (let one?, let other?) where isTime(one) && isTime(other): return []
    default: return [(path, recorded, replayed)]
    }
  }

  /// Dates, times of day and numbers of seconds or less since 1970 differ from run to run.
  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?|\d{10,19}/, with: "<time>")
  }

  /// Seconds, milliseconds, microseconds or nanoseconds between the years 2001 and 2100.
  private static func isTime(_ value: JSONValue) -> Bool {
    guard let number = value.doubleValue else { return false }
    return [1, 1e3, 1e6, 1e9].contains { (1e9...4.1e9).contains(number / $0) }
  }
}
