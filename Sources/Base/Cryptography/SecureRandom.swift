internal import CCrypto

/// Bytes that nobody can guess, by libcrypto's generator.
package enum SecureRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    guard let size = Int32(exactly: count), size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let isDone = unsafe RAND_bytes(&bytes, size)
    // To go on would be to give out secrets that can be guessed.
    precondition(isDone == 1, "the machine gives no random bytes")
    return bytes
  }
}

/// GUIDs of version 4 (RFC 9562, 5.4), as identifiers of requests and users.
package enum GUID {
  /// Returns the GUID that random bytes make, in lower case, for example `0b3f…-4…-…`.
  ///
  /// - Parameter random: 16 bytes; missing ones are 0, further ones are ignored.
  package static func text(_ random: [UInt8]) -> String {
    var bytes = Array(random.prefix(16)) + [UInt8](repeating: 0, count: max(0, 16 - random.count))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Hexadecimal.text(for: bytes)
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  /// Returns whether a text has the form of a GUID, of any version.
  package static func isOne(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } }
  }
}
