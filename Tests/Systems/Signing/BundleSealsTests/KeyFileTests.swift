import BundleSeals
import Cryptography
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A key in a file` {
  private static let cheap = Scrypt.Cost(logarithm: 4, blocks: 8, lanes: 1)
  private static let passphrase = Array("correct horse".utf8)

  private func file(_ key: Ed25519.PrivateKey, in folder: TemporaryDirectory) throws -> String {
    try KeyFile(key, passphrase: Self.passphrase, cost: Self.cheap).write(to: folder.file("key"))
    return folder.file("key")
  }

  @Test func `is dear to guess where nobody says otherwise`() {
    #expect(KeyFile.cost == Scrypt.Cost(logarithm: 17, blocks: 8, lanes: 1) && KeyFile.shortestPassphrase == 8)
  }

  @Test func `opens with its passphrase and with no other`() throws {
    let folder = try TemporaryDirectory()
    let key = try Ed25519.PrivateKey.generate()
    let path = try file(key, in: folder)
    let read = try KeyFile(path)
    #expect(read.publicKey == key.publicKey)
    #expect(try read.open(passphrase: Self.passphrase).seed == key.seed)
    let error = #expect(throws: SealError.self) { try read.open(passphrase: Array("correct horse ".utf8)) }
    #expect(error?.kind == .wrongPassphrase)
  }

  @Test func `is its owner's alone, holds no secret in clear, and is never overwritten`() throws {
    let folder = try TemporaryDirectory()
    let key = try Ed25519.PrivateKey.generate()
    let path = try file(key, in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(!text.contains(Data(key.seed).base64EncodedString()))
    #expect("\(key)" == "<redacted>")
    #expect(throws: SealError.self) { try file(key, in: folder) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(Process.shell("chmod 640 '\(path)'") == 0)
    #expect(throws: SealError.self) { try KeyFile(path) }
  }

  @Test func `does not open when another public key was put into it`() throws {
    let folder = try TemporaryDirectory()
    let path = try file(try .generate(), in: folder)
    let other = Data(try Ed25519.PrivateKey.generate().publicKey.bytes).base64EncodedString()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing(#/"public": "[^"]*"/#) { _ in "\"public\": \"\(other)\"" }
    try changed.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(changed != text)
    #expect(throws: SealError.self) { try KeyFile(path).open(passphrase: Self.passphrase) }
  }

  @Test func `is refused when a cost in it is beyond what may be paid`() throws {
    let folder = try TemporaryDirectory()
    let path = try file(try .generate(), in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("\"logarithm\": 4", with: "\"logarithm\": 63").write(
      toFile: path, atomically: false, encoding: .utf8)
    #expect(throws: SealError.self) { try KeyFile(path) }
  }

  @Test func `says what it revokes and whom it makes its successor, under its signature alone`() throws {
    let root = try Ed25519.PrivateKey.generate()
    let next = try Ed25519.PrivateKey.generate()
    let revocation = try Revocation(KeyFingerprint.of(next.publicKey), by: root, because: "stolen", at: 5)
    #expect(try Revocation(document: revocation.document) == revocation)
    let rotation = try RootRotation(to: next.publicKey, by: root, at: 5)
    #expect(try RootRotation(document: rotation.document) == rotation)
    #expect(throws: SealError.self) { try Revocation(document: rotation.document) }
    for place in revocation.document.indices {
      var changed = revocation.document
      changed[place] ^= 1
      #expect(throws: SealError.self, "byte \(place)") { try Revocation(document: changed) }
    }
  }

  @Test func `is a statement of 16 KiB beside its signature, and not of one byte more`() throws {
    let root = try Ed25519.PrivateKey.generate()
    let key = KeyFingerprint.of(root.publicKey)
    let room = (16 << 10) - (try Revocation(key, by: root, because: "é", at: 0).text.count)
    func statement(_ more: Int) throws -> Revocation {
      try Revocation(key, by: root, because: "é" + String(repeating: "a", count: more), at: 0)
    }
    let longest = try statement(room)
    #expect(longest.text.count == 16_384 && longest.reason.utf8.count == room + 2)
    #expect(try Revocation(document: longest.document) == longest)
    #expect(throws: SealError.self) { try statement(room + 1) }
    var longer = longest.document
    longer.insert(0x61, at: longest.text.count - 1)
    #expect(throws: SealError.self) { try Revocation(document: longer) }
  }

  @Test(arguments: [0, 253_402_300_799]) func `says when, up to the last second of the year 9999`(time: Int64) throws {
    let root = try Ed25519.PrivateKey.generate()
    let key = KeyFingerprint.of(root.publicKey)
    #expect(try Revocation(document: Revocation(key, by: root, because: "a", at: time).document).time == time)
    let beyond = time == 0 ? -1 : time + 1
    #expect(throws: SealError.self) {
      try Revocation(document: Revocation(key, by: root, because: "a", at: beyond).document)
    }
  }

  @Test(arguments: ["", "a\nb", "a\u{202E}b", "a\u{7F}", "\u{2028}"]) func `gives a reason of one line`(reason: String)
    throws
  {
    let root = try Ed25519.PrivateKey.generate()
    let key = KeyFingerprint.of(root.publicKey)
    #expect(throws: SealError.self) { try Revocation(key, by: root, because: reason, at: 0) }
    for other in ["", String(key.dropLast()), key + "0", key.uppercased() + "", "g" + key.dropFirst()]
    where other != key { #expect(throws: SealError.self) { try Revocation(other, by: root, because: "a", at: 0) } }
  }
}
