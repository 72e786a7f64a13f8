package import Cryptography
import Files
import JSON
import Text

/// A private key in a file, encrypted with a key that scrypt derives from a passphrase (RFC 7914) by AES-256-GCM.
///
/// What is not secret is authenticated: a file whose public key was exchanged does not open.
package struct KeyFile: Sendable {
  private static let format = "annex private key 1"
  private static let limit = 16 << 10
  /// 128 MiB and half a second for each guess.
  package static let cost = Scrypt.Cost(logarithm: 17, blocks: 8, lanes: 1)
  /// The least characters of a passphrase.
  package static let shortestPassphrase = 8

  /// The public half of the key.
  package let publicKey: Ed25519.PublicKey
  private let salt: [UInt8]
  private let cost: Scrypt.Cost
  private let box: [UInt8]

  /// Encrypts a key. Takes half a second with the usual cost.
  package init(
    _ key: Ed25519.PrivateKey, passphrase: [UInt8], cost: Scrypt.Cost = Self.cost
  ) throws(SealError) {
    publicKey = key.publicKey
    salt = SecureRandom.bytes(32)
    self.cost = cost
    do throws(CryptographyError) {
      box = try AESGCM.seal(
        key.seed, key: try Scrypt.key(password: passphrase, salt: salt, cost: cost),
        context: Self.context(key.publicKey))
    } catch {
      throw SealError(error)
    }
  }

  /// Reads a file that its owner alone may read.
  ///
  /// - Throws: `system` when it cannot be read or others can read it, `malformed` when it is no key file.
  package init(_ path: String) throws(SealError) {
    let read: [UInt8]?
    do throws(FileError) { read = try File.readPrivate(path, limit: Self.limit) } catch { throw SealError(error) }
    guard let read else {
      throw SealError(
        .system, "There is no key at \(path).",
        recovery: "Make one with “host key new”, or name the folder with --keys.")
    }
    let failure = SealError(
      .malformed, "\(path) is not a private key that “host key new” made.", recovery: "Restore it from a copy.")
    guard let value = try? JSONCoding.parse(read), value["format"]?.stringValue == Self.format,
      let publicKey = (value["public"]?.stringValue).flatMap({ Base64.decode($0) }).flatMap({
        try? Ed25519.PublicKey($0)
      }),
      let salt = (value["salt"]?.stringValue).flatMap({ Base64.decode($0) }),
      let box = (value["box"]?.stringValue).flatMap({ Base64.decode($0) }),
      let logarithm = (value["scrypt"]?["logarithm"]?.integerValue).flatMap({ Int(exactly: $0) }),
      let blocks = (value["scrypt"]?["blocks"]?.integerValue).flatMap({ Int(exactly: $0) }),
      let lanes = (value["scrypt"]?["lanes"]?.integerValue).flatMap({ Int(exactly: $0) }),
      (1...20).contains(logarithm), (1...32).contains(blocks), (1...16).contains(lanes)
    else { throw failure }
    (self.publicKey, self.salt, self.box) = (publicKey, salt, box)
    cost = Scrypt.Cost(logarithm: logarithm, blocks: blocks, lanes: lanes)
  }

  /// Decrypts the key.
  ///
  /// - Throws: `wrongPassphrase` when the passphrase is another or the file was changed.
  package func open(passphrase: [UInt8]) throws(SealError) -> Ed25519.PrivateKey {
    do throws(CryptographyError) {
      let derived = try Scrypt.key(password: passphrase, salt: salt, cost: cost)
      let key = try Ed25519.PrivateKey(
        seed: try AESGCM.open(box, key: derived, context: Self.context(publicKey)))
      guard key.publicKey == publicKey else { throw CryptographyError(.notAuthentic, "The key is another.") }
      return key
    } catch {
      guard error.kind == .notAuthentic else { throw SealError(error) }
      throw SealError(
        .wrongPassphrase, "The passphrase does not open the key \(KeyFingerprint.short(KeyFingerprint.of(publicKey))).",
        recovery: "Type it again; if it is right, the file was changed: restore it from a copy.")
    }
  }

  /// Writes the file, which must not exist yet.
  ///
  /// - Throws: `system`.
  package func write(to path: String) throws(SealError) {
    var object = JSONObject()
    object["format"] = .string(Self.format)
    object["public"] = .string(Base64.encode(publicKey.bytes))
    object["salt"] = .string(Base64.encode(salt))
    object["scrypt"] = [
      "logarithm": .integer(Int64(cost.logarithm)), "blocks": .integer(Int64(cost.blocks)),
      "lanes": .integer(Int64(cost.lanes)),
    ]
    object["box"] = .string(Base64.encode(box))
    try Self.writeNew(Array((JSONCoding.prettyText(of: .object(object)) + "\n").utf8), to: path, mode: 0o600)
  }

  /// Writes a file that did not exist, durably: whole or not at all.
  package static func writeNew(_ bytes: [UInt8], to path: String, mode: UInt32) throws(SealError) {
    do throws(FileError) {
      guard FileStatus(path) == nil else {
        throw FileError(.notRegular, "\(path) exists already.", recovery: "Move it away, or use another name.")
      }
      try File.replace(path, with: bytes, isDurable: true)
      if mode != 0o600 { try File.setMode(path, mode) }
    } catch {
      throw SealError(error)
    }
  }

  private static func context(_ key: Ed25519.PublicKey) -> [UInt8] { Array(format.utf8) + [0] + key.bytes }
}
