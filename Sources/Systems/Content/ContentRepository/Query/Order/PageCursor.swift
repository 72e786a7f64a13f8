import Text
import GraphQL

/// The position of a fragment in a sorted list, which clients send to receive the next page: the values that the list
/// is sorted by, the fragment's identifier and, for a list with several variations, the variation. The text is base64
/// of lines.
struct PageCursor: Equatable {
  let keys: [SortKey]
  let id: String
  let variation: String?

  init(keys: [SortKey], id: String, variation: String?) {
    self.keys = keys
    self.id = id
    self.variation = variation
  }

  /// Creates a cursor from its text; nil when the text is not a cursor of a list with so many sort values.
  ///
  /// - Parameter count: the number of values that the list is sorted by.
  init?(_ text: String, count: Int) {
    guard text.utf8.count <= 64 << 10, let bytes = Base64.decode(text),
      let plain = String(validating: bytes, as: UTF8.self)
    else { return nil }
    // The name of a variation is any text, also one of several lines.
    let lines = plain.split(separator: "\n", maxSplits: count + 1, omittingEmptySubsequences: false)
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
