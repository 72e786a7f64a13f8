import Text
import GraphQL

/// The place of a fragment in a list, which clients hand back to get what follows: the values that it is sorted by, its
/// identifier and, where a list has several variations, the variation; base64 of lines.
struct PageCursor: Equatable {
  let keys: [SortKey]
  let id: String
  let variation: String?

  init(keys: [SortKey], id: String, variation: String?) {
    self.keys = keys
    self.id = id
    self.variation = variation
  }

  /// - Parameter count: how many values a list is sorted by.
  /// - Returns: `nil` for what is no cursor of such a list.
  init?(_ text: String, count: Int) {
    guard text.utf8.count <= 64 << 10, let bytes = Base64.decode(text),
      let plain = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let lines = plain.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == count + 1 || lines.count == count + 2, StableID.isValid(String(lines[count])) else {
      return nil
    }
    let keys = lines.prefix(count).compactMap { SortKey(line: $0) }
    guard keys.count == count else { return nil }
    self.init(
      keys: keys, id: String(lines[count]), variation: lines.count == count + 2 ? String(lines[count + 1]) : nil)
  }

  var text: String {
    let lines = keys.map(\.line) + [id] + (variation.map { [$0] } ?? [])
    return Base64.encode(Array(lines.joined(separator: "\n").utf8))
  }
}
