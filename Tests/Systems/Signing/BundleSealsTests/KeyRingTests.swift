import Cryptography
import Foundation
import TestSupport
import Testing

@testable import BundleSeals

@Suite(.timeLimit(.minutes(1))) struct `The keys of a team in a folder` {
  private static let cheap = Scrypt.Cost(logarithm: 4, blocks: 8, lanes: 1)
  private static let passphrase = Array("correct horse".utf8)

  private let folder: TemporaryDirectory
  private var ring: KeyRing { KeyRing(folder.file("keys")) }

  init() throws { folder = try TemporaryDirectory() }

  private func make(_ name: String = "Example", until: Int64 = 100) throws -> KeyCertificate {
    try ring.makeTeam(name, passphrase: Self.passphrase, 10..<until, cost: Self.cheap)
  }

  private func makeSigningKey(until: Int64) throws -> KeyCertificate {
    try ring.makeSigningKey(passphrase: Self.passphrase, 10..<until, cost: Self.cheap)
  }

  @Test func `are made once, and are nothing before`() throws {
    #expect(try ring.team() == nil && ring.certificates().isEmpty && ring.statements().isEmpty)
    let none = #expect(throws: SealError.self) { try ring.requiredTeam() }
    #expect(none?.kind == .keyRefused)
    let certificate = try make("Größe & Co.")
    #expect(certificate.from == 10 && certificate.until == 100 && certificate.name == "Größe & Co.")
    let team = KeyRing.Team(name: "Größe & Co.", root: certificate.team, signing: certificate.signer)
    #expect(try ring.requiredTeam() == team)
    #expect(try ring.certificate(of: certificate.signer) == certificate)
    let refused = #expect(throws: SealError.self) { try make() }
    #expect(refused?.kind == .keyRefused)
    #expect(try ring.team() == team && ring.certificates() == [certificate])
    #expect(try KeyFingerprint.of(ring.rootKey(team.root).open(passphrase: Self.passphrase).publicKey) == team.root)
    #expect(
      try KeyFingerprint.of(ring.signingKey(team.signing).open(passphrase: Self.passphrase).publicKey) == team.signing)
  }

  @Test func `are read by others where they are for others, and by nobody where they are secret`() throws {
    let certificate = try make()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(ring.file("signing", certificate.signer, "certificate")) == 0o644)
    #expect(try mode(ring.file("signing", certificate.signer, "key")) == 0o600)
    #expect(try mode(ring.file("root", certificate.team, "key")) == 0o600)
    #expect(ring.file("root", certificate.team, "key") == "\(ring.path)/root-\(certificate.team.prefix(16)).key")
  }

  @Test func `have a new signing key below the same root, that of the latest end first`() throws {
    let first = try make()
    let later = try makeSigningKey(until: 300)
    let last = try makeSigningKey(until: 200)
    #expect(later.team == first.team && last.team == first.team)
    #expect(try ring.team()?.signing == last.signer && ring.team()?.root == first.team)
    #expect(ring.certificates().map(\.until) == [300, 200, 100])
    let wrong = #expect(throws: SealError.self) {
      try ring.makeSigningKey(passphrase: Array("wrong".utf8), 10..<400, cost: Self.cheap)
    }
    #expect(wrong?.kind == .wrongPassphrase)
    #expect(try ring.team()?.signing == last.signer)
  }

  @Test func `are handed on to another root, which a failure does not announce`() throws {
    let first = try make()
    let dear = Scrypt.Cost(logarithm: 21, blocks: 8, lanes: 1)
    #expect(throws: SealError.self) { try ring.rotate(passphrase: Self.passphrase, 10..<200, at: 50, cost: dear) }
    #expect(try ring.statements().isEmpty)
    #expect(try ring.team()?.root == first.team)
    let rotated = try ring.rotate(passphrase: Self.passphrase, 20..<200, at: 50, cost: Self.cheap)
    #expect(rotated.statement.team == first.team && rotated.statement.newTeam == rotated.certificate.team)
    #expect(rotated.statement.time == 50 && rotated.certificate.team != first.team)
    #expect(
      try ring.team() == .init(name: "Example", root: rotated.certificate.team, signing: rotated.certificate.signer))
    #expect(try ring.statements().map(\.path) == [rotated.path])
    #expect(try RootRotation(document: ring.statements()[0].bytes) == rotated.statement)
    // The root of before is kept: it takes back what it certified.
    #expect(try KeyFingerprint.of(ring.rootKey(first.team).open(passphrase: Self.passphrase).publicKey) == first.team)
    let again = try ring.rotate(passphrase: Self.passphrase, 20..<200, at: 60, cost: Self.cheap)
    #expect(again.statement.team == rotated.certificate.team)
  }

  @Test func `take back a key by the root that certified it, each once, and say so after rotations`() throws {
    let first = try make()
    let rotated = try ring.rotate(passphrase: Self.passphrase, 20..<200, at: 50, cost: Self.cheap)
    let path = try ring.revoke(first.signer, passphrase: Self.passphrase, because: "stolen", at: 60)
    let revocation = try Revocation(document: Array(Data(contentsOf: URL(filePath: path))))
    #expect(revocation.team == first.team && revocation.revoked == first.signer && revocation.time == 60)
    let seal = String(repeating: "a", count: 64)
    let other = try ring.revoke(seal, passphrase: Self.passphrase, because: "bad", at: 61)
    #expect(try Revocation(document: Array(Data(contentsOf: URL(filePath: other)))).team == rotated.certificate.team)
    #expect(throws: SealError.self) {
      try ring.revoke(first.signer, passphrase: Self.passphrase, because: "again", at: 62)
    }
    #expect(try Revocation(document: Array(Data(contentsOf: URL(filePath: path)))).reason == "stolen")
    let found = try ring.statements().map(\.path)
    #expect(found.first == rotated.path && Set(found) == [rotated.path, path, other])
    let wrong = #expect(throws: SealError.self) {
      try ring.revoke(rotated.certificate.signer, passphrase: Array("wrong".utf8), because: "x", at: 63)
    }
    #expect(wrong?.kind == .wrongPassphrase)
  }

  @Test(arguments: ["\u{301}x", " a  b "]) func `are of a team that is called as it wants`(name: String) throws {
    let certificate = try make(name)
    #expect(try ring.requiredTeam().name.utf8.elementsEqual(name.utf8))
    #expect(try ring.certificate(of: certificate.signer).name.utf8.elementsEqual(name.utf8))
    #expect(try makeSigningKey(until: 200).name.utf8.elementsEqual(name.utf8))
  }

  @Test func `are found beside what cannot be read, with the longest word of their root`() throws {
    let certificate = try make()
    let other = ring.file("signing", String(repeating: "b", count: 64), "certificate")
    try "x".write(toFile: other, atomically: false, encoding: .utf8)
    #expect(ring.certificates() == [certificate])
    let seal = String(repeating: "a", count: 64)
    let root = try ring.rootKey(certificate.team).open(passphrase: Self.passphrase)
    let room = (16 << 10) - (try Revocation(seal, by: root, because: "é", at: 0).text.count)
    let reason = "é" + String(repeating: "a", count: room)
    let path = try ring.revoke(seal, passphrase: Self.passphrase, because: reason, at: 0)
    #expect(try ring.statements().map(\.path) == [path])
    #expect(try Revocation(document: ring.statements()[0].bytes).reason == reason)
  }

  @Test func `are those that the file of the team names, in one form`() throws {
    let certificate = try make()
    let path = "\(ring.path)/team"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == "name Example\nroot \(certificate.team)\nsigning \(certificate.signer)\n")
    for changed in [
      "", text + "more x\n", text.replacing("name ", with: "nam "), text.replacing("root ", with: "Root "),
      text.replacing("signing ", with: "signed "), text.replacing(certificate.team, with: certificate.team.dropLast()),
      text.replacing(certificate.signer, with: certificate.signer + "0"),
      text.replacing(certificate.team, with: String(repeating: "A", count: 64)),
    ] {
      try changed.write(toFile: path, atomically: false, encoding: .utf8)
      let error = #expect(throws: SealError.self, "\(changed)") { try ring.team() }
      #expect(error?.kind == .malformed)
    }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try ring.team()?.root == certificate.team)
    #expect(Process.shell("chmod 640 '\(path)'") == 0)
    #expect(throws: SealError.self) { try ring.team() }
  }
}
