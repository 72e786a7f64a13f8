import GroupStore

/// The steps of a write, as what is left of them in the end: each key once.
struct WritePlan {
  /// Whether every key of the suite is removed first.
  private(set) var clears = false
  private(set) var keys: [String] = []
  private var contents: [String: [UInt8]?] = [:]

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
    if contents.updateValue(bytes, forKey: key) == nil { keys.append(key) }
  }

  /// The value of each key; `nil` for a removed one.
  var values: [[UInt8]?] { keys.map { contents[$0] ?? nil } }

  /// Returns the changes for watchers.
  func changes(at revision: Int64) -> [Change] {
    zip(keys, values).map { Change(key: $0, bytes: $1, revision: revision) }
  }
}
