internal import Text
package import Cryptography

/// The scrypt hash of a password, with its salt and cost, as `$scrypt$ln=14,r=8,p=1$SALT$HASH` (RFC 7914).
package struct PasswordHash: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  private let cost: Scrypt.Cost
  private let salt: [UInt8]
  private let hash: [UInt8]

  /// Blocks for as long as the cost says.
  package init(
    _ password: String, cost: Scrypt.Cost = Scrypt.Cost(), salt: [UInt8] = SecureRandom.bytes(16)
  ) throws(CryptographyError) {
    self.cost = cost
    self.salt = salt
    hash = try Scrypt.key(password: Array(password.utf8), salt: salt, cost: cost)
  }

  /// - Returns: `nil` when the text is none, or its cost is out of bounds.
  package init?(parsing text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard text.utf8.count <= 512, parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    let numbers = parts[2].split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
    guard numbers.count == 3, numbers.allSatisfy({ $0.count == 2 }), numbers.map({ $0[0] }) == ["ln", "r", "p"],
      let logarithm = Int(numbers[0][1]), let blocks = Int(numbers[1][1]), let lanes = Int(numbers[2][1])
    else { return nil }
    cost = Scrypt.Cost(logarithm: logarithm, blocks: blocks, lanes: lanes)
    guard cost.isBounded, let salt = Self.decode(parts[3]), (8...64).contains(salt.count),
      let hash = Self.decode(parts[4]), (16...64).contains(hash.count)
    else { return nil }
    self.salt = salt
    self.hash = hash
  }

  /// Whether it is of this password. Blocks for as long as the cost says.
  package func matches(_ password: String) -> Bool {
    guard let other = try? Scrypt.key(password: Array(password.utf8), salt: salt, cost: cost, count: hash.count) else {
      return false
    }
    return ConstantTime.isEqual(hash, other)
  }

  /// The hash as text: the cost, the salt and the digest, in the PHC string format.
  package var text: String {
    "$scrypt$ln=\(cost.logarithm),r=\(cost.blocks),p=\(cost.lanes)$\(Self.encode(salt))$\(Self.encode(hash))"
  }

  private static func encode(_ bytes: [UInt8]) -> String { String(Base64.encode(bytes).prefix { $0 != "=" }) }

  private static func decode(_ text: Substring) -> [UInt8]? {
    guard !text.contains("=") else { return nil }
    return Base64.decode(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }

  /// A placeholder, so that no message shows the hash.
  package var description: String { "<redacted>" }
  /// A mirror without children, so that no dump shows the hash.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
