internal import ConfigurationFiles
internal import Cryptography
internal import Files
internal import Text

/// The source of the key that encrypts the cache.
package enum CacheKeySource: Sendable, Equatable {
  /// A file next to the cache, created with the first tokens.
  case besideCache
  /// A file of the user's: 32 bytes, or 64 hexadecimal digits.
  case file(String)
  /// The content of a file descriptor: 32 bytes, or 64 hexadecimal digits.
  case bytes(CacheKey)

  /// The variable of the environment that may name the file.
  package static let variable = "ANNEX_TOKEN_KEY_FILE"

  /// A description of the source for messages, without the key.
  package var summary: String {
    switch self {
    case .besideCache: "a key file beside the cache"
    case .file(let path): "the key file \(quotable(path))"
    case .bytes: "a key that was handed over"
    }
  }
}

/// A key of AES-256 that nothing shows.
package struct CacheKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  /// - Parameter content: 32 bytes, or 64 hexadecimal digits with or without a line break.
  /// - Returns: `nil` for anything else.
  package init?(_ content: [UInt8]) {
    if content.count == AESGCM.keyCount {
      bytes = content
      return
    }
    let digits = content.last == 0x0A ? content.dropLast() : content[...]
    guard digits.count == 2 * AESGCM.keyCount else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Self.value(of: digit) else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    self.bytes = bytes
  }

  /// Compares two keys.
  package static func == (left: CacheKey, right: CacheKey) -> Bool {
    ConstantTime.isEqual(left.bytes, right.bytes)
  }

  /// Eight bytes of a digest that distinguish keys without revealing them.
  var name: [UInt8] { Array(SHA256.digest(of: Array("annex token cache\n".utf8) + bytes).prefix(8)) }

  static func random() -> CacheKey? { CacheKey(SecureRandom.bytes(AESGCM.keyCount)) }

  /// A placeholder, so that no message shows the key.
  package var description: String { "<redacted>" }
  /// A mirror without children, so that no dump shows the key.
  package var customMirror: Mirror { Mirror(self, children: []) }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
