/// A cache bounded by the bytes of its values. When it is full, the least recently used values are removed.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let bytes: Int
    var use: UInt64
  }

  private let mostBytes: Int
  private let most: Int
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0
  private(set) var bytes = 0

  /// - Parameters:
  ///   - mostBytes: of all values together.
  ///   - most: how many values.
  init(mostBytes: Int, most: Int) {
    self.mostBytes = mostBytes
    self.most = most
  }

  var count: Int { entries.count }

  mutating func value(_ key: Key) -> Value? {
    guard let index = entries.index(forKey: key) else { return nil }
    uses += 1
    entries.values[index].use = uses
    return entries.values[index].value
  }

  /// Stores a value, unless its size is more than an eighth of the whole cache.
  mutating func keep(_ value: Value, bytes size: Int, for key: Key) {
    guard size >= 0, size <= mostBytes / 8 else { return }
    uses += 1
    if let old = entries.updateValue(Entry(value: value, bytes: size, use: uses), forKey: key) { bytes -= old.bytes }
    bytes += size
    guard bytes > mostBytes || entries.count > most else { return }
    // A quarter at once, so that this is seldom done.
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard bytes > mostBytes / 4 * 3 || entries.count > most / 4 * 3 else { break }
      entries[key] = nil
      bytes -= entry.bytes
    }
  }

  mutating func removeAll() {
    entries = [:]
    bytes = 0
  }
}
