import ExtensionProtocol
import JSON

/// The directories of a recording against those of a replay: both sides speak of paths.
struct PathSubstitution: Sendable {
  private var pairs: [(recorded: String, present: String)] = []

  init(recorded: JSONValue?, present: Initialize.Directories) {
    func add(_ recorded: JSONValue?, _ present: String) {
      if let recorded = recorded?.stringValue, !recorded.isEmpty, !present.isEmpty { pairs.append((recorded, present)) }
    }
    add(recorded?["scratch"], present.scratch)
    add(recorded?["container"], present.container)
    for (id, group) in present.groups { add(recorded?["groups"]?[id]?["path"], group.path) }
  }

  /// A value of the recording as the extension is to see it now.
  func present(_ value: JSONValue) -> JSONValue { map(value) { replace($0, \.recorded, \.present) } }

  /// A value of the extension as the recording would have it.
  func recorded(_ value: JSONValue) -> JSONValue { map(value) { replace($0, \.present, \.recorded) } }

  private func replace(
    _ text: String, _ from: KeyPath<(recorded: String, present: String), String>,
    _ to: KeyPath<(recorded: String, present: String), String>
  ) -> String {
    for pair in pairs where text.utf8.starts(with: pair[keyPath: from].utf8) {
      // A name may begin with an accent, which makes one character with the slash before it.
      let rest = text.utf8.dropFirst(pair[keyPath: from].utf8.count)
      if rest.isEmpty || rest.first == UInt8(ascii: "/") { return pair[keyPath: to] + Substring(rest) }
    }
    return text
  }

  private func map(_ value: JSONValue, _ change: (String) -> String) -> JSONValue {
    switch value {
    case .string(let text): .string(change(text))
    case .array(let values): .array(values.map { map($0, change) })
    case .object(let object): .object(JSONObject(object.map { ($0.key, map($0.value, change)) }))
    case .null, .bool, .integer, .unsigned, .double: value
    }
  }
}
