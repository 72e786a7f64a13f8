internal import Cryptography

/// Values that expire, keyed by a secret, in a bounded number: a new value replaces the oldest. The table does not
/// store the secrets themselves.
struct ExpiringTable<Value: Sendable>: Sendable {
  enum Found {
    case missing
    case expired(Value)
    case value(Value)
  }

  private struct Entry {
    var value: Value
    var expires: Int64
    let order: UInt64
  }

  private let limit: Int
  private var entries: [String: Entry] = [:]
  private var last: UInt64 = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var count: Int { entries.count }

  mutating func insert(_ value: Value, for secret: String, until expires: Int64) {
    let key = Self.key(secret)
    if entries[key] == nil, entries.count >= limit, let oldest = entries.min(by: { $0.value.order < $1.value.order }) {
      entries[oldest.key] = nil
    }
    last += 1
    entries[key] = Entry(value: value, expires: expires, order: last)
  }

  func find(_ secret: String, at now: Int64) -> Found {
    guard let entry = entries[Self.key(secret)] else { return .missing }
    return entry.expires > now ? .value(entry.value) : .expired(entry.value)
  }

  /// Returns the value of a secret; nil when there is none or it has expired.
  func value(_ secret: String, at now: Int64) -> Value? {
    if case .value(let value) = find(secret, at: now) { value } else { nil }
  }

  mutating func update(_ secret: String, _ change: (inout Value) -> Void) {
    let key = Self.key(secret)
    guard var entry = entries[key] else { return }
    change(&entry.value)
    entries[key] = entry
  }

  @discardableResult
  mutating func remove(_ secret: String) -> Value? { entries.removeValue(forKey: Self.key(secret))?.value }

  mutating func removeAll(where isGone: (Value) -> Bool) { entries = entries.filter { !isGone($0.value.value) } }

  private static func key(_ secret: String) -> String { SHA256.hexadecimal(of: secret.utf8) }
}
