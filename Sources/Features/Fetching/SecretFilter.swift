import HTTP

/// Takes the tokens of a request out of its answer, which arrives in pieces: an API may repeat the header fields that it
/// was sent, and the extension behind the request is not to have the token.
///
/// A token is found as it was sent, with escaped slashes as in JSON, and percent-encoded. What an API makes of it otherwise
/// is not recognized.
struct SecretFilter: Sendable {
  /// What stands in the place of a token.
  static let mark = Array("<redacted>".utf8)

  private let secrets: [[UInt8]]
  /// The end of the last piece, which may be the beginning of a token.
  private var rest: [UInt8] = []

  /// - Parameter tokens: what is taken out; those of fewer than eight bytes are not.
  init(_ tokens: some Sequence<String>) {
    var forms: Set<[UInt8]> = []
    for token in tokens where token.utf8.count >= 8 {
      for form in [token, token.replacing("/", with: "\\/"), PercentEncoding.encoded(token)] {
        forms.insert(Array(form.utf8))
      }
    }
    // The longest first: one may begin with another.
    secrets = forms.sorted { $0.count > $1.count }
  }

  /// Returns the bytes that are known to be no part of a token; the rest comes with the next piece or the end.
  mutating func pass(_ piece: some Sequence<UInt8>) -> [UInt8] {
    if secrets.isEmpty { return Array(piece) }
    return take(rest + piece, isLast: false)
  }

  /// Returns what was held back, at the end of the answer. The beginning of a token that goes no further is none.
  mutating func end() -> [UInt8] { take(rest, isLast: true) }

  private mutating func take(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    var found: [UInt8] = []
    found.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let left = bytes[index...]
      // A shorter token may be the beginning of a longer one.
      if !isLast, secrets.contains(where: { left.count < $0.count && $0.starts(with: left) }) { break }
      if let secret = secrets.first(where: { left.starts(with: $0) }) {
        found += Self.mark
        index += secret.count
      } else {
        found.append(bytes[index])
        index += 1
      }
    }
    rest = Array(bytes[index...])
    return found
  }

  /// A whole text without the tokens.
  func cleaned(_ bytes: [UInt8]) -> [UInt8] {
    var copy = self
    return copy.pass(bytes) + copy.end()
  }

  /// A whole text without the tokens.
  func cleaned(_ text: String) -> String {
    secrets.isEmpty ? text : String(decoding: cleaned(Array(text.utf8)), as: UTF8.self)
  }
}
