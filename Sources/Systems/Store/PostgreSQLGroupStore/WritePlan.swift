import GroupStore
import Text

/// The steps of a write, as what is left of them in the end: each key once. Keys are told apart by their bytes, as the
/// server does.
struct WritePlan {
  /// Whether every key of the suite is removed first.
  private(set) var clears = false
  private(set) var keys: [String] = []
  private var contents: [ExactText: [UInt8]?] = [:]

  init(_ changes: [Mutation]) {
    for change in changes {
      switch change {
      case .set(let key, let bytes): put(key, bytes)
      case .remove(let key): put(key, nil)
      case .removeAll:
        clears = true
        for key in keys { put(key, nil) }
      }
    }
  }

  private mutating func put(_ key: String, _ bytes: [UInt8]?) {
    if contents.updateValue(bytes, forKey: ExactText(key)) == nil { keys.append(key) }
  }

  /// The value of each key; `nil` for a removed one.
  var values: [[UInt8]?] { keys.map { contents[ExactText($0)] ?? nil } }

  /// Returns the changes for watchers.
  func changes(at revision: Int64) -> [Change] {
    zip(keys, values).map { Change(key: $0, bytes: $1, revision: revision) }
  }
}
