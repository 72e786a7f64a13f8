import Glibc

/// A text that equals only the same bytes, as a file system, a database and a peer tell texts apart. `String` calls two
/// spellings of an accent one text: what is kept under a `String` that somebody else chose may be found under another.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: some StringProtocol) { self.text = String(text) }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasBytes(of: right.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactText: Comparable {
  /// By bytes, which is the order of the code points.
  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension ExactText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.text = text }
}

extension ExactText: CustomStringConvertible {
  package var description: String { text }
}

extension StringProtocol {
  /// Whether both texts are the same bytes: `==` says so of two spellings of an accent too.
  package func hasBytes(of other: some StringProtocol) -> Bool {
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
          return left.count == right.count
        }
        return unsafe memcmp(first, second, left.count) == 0
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
