import BundleSeals
import Cryptography
import ExtensionProtocol
import Files
import Foundation
import TestSupport
import Testing
import Time

@testable import BundleInstalling
@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(2)))
struct `The judgement of a seal` {
  private let stage: IndexStage
  private var store: BundleStore { stage.store }
  private var team: BundleTeam { BundleTeam(team: stage.certificate.team, name: stage.certificate.name) }

  init() throws { stage = try IndexStage() }

  private func unseal(_ path: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(BundleSeal.folder)")
  }

  @Test func `finds a bundle as it was signed`() async throws {
    let judgement = try await store.judge(stage.bundle("1"))
    #expect(judgement.state == .whole && judgement.refusal == nil && judgement.changes == [])
    #expect(judgement.team == team && judgement.key == stage.certificate.signer && judgement.digest?.count == 64)
    #expect(judgement.sentence == "Tides.app is as \(team.shown) signed it.")
    #expect(judgement.details["seal"] == "whole" && judgement.details["changes"] == nil)
    #expect(judgement.details["team"] == ["team": .string(team.team), "name": "Example"])
  }

  @Test func `calls unsigned only what has no seal at all`() async throws {
    let bundle = try stage.bundle("1")
    try unseal(bundle)
    let half = try await store.judge(bundle)
    #expect(half.state == .malformed && half.refusal?.code == .extensionInvalid && half.team == nil)
    try unseal("\(bundle)/PlugIns/Clock.appex")
    let none = try await store.judge(bundle)
    #expect(none.state == .unsigned && none.refusal == nil && none.sentence == "Tides.app is unsigned.")
    #expect(none.team == nil && none.key == nil && none.digest == nil && none.details == ["seal": "unsigned"])
    let error = await #expect(throws: ExtensionError(.extensionInvalid, "")) {
      try await store.add(bundle) { _ in true }
    }
    #expect(error?.message == "Tides.app is unsigned, and the store takes signed bundles only.")
    #expect(Folder.names(in: "\(stage.state.path)/bundles").filter { $0 != "lock" } == [])
  }

  @Test func `names the first change, and how many more there are`() async throws {
    let bundle = try stage.bundle("1")
    let files = ["\(bundle)/PlugIns/Clock.appex/clock", "\(bundle)/words"]
    try File.replace(files[1], with: Array("one".utf8))
    try stage.sign(bundle)
    #expect(try await store.judge(bundle).state == .whole)
    try File.replace(files[1], with: Array("two".utf8))
    let one = try await store.judge(bundle)
    #expect(one.state == .changed && one.changes.count == 1 && one.changes[0].contains("words"))
    #expect(one.sentence == "Tides.app is not as it was signed: \(one.changes[0]).")
    #expect(one.refusal?.code == .extensionInvalid)
    #expect(one.details["changes"] == .array([.string(one.changes[0])]))
    try File.replace(files[0], with: Array("two".utf8))
    try File.setMode(files[0], 0o755)
    let more = try await store.judge(bundle)
    #expect(more.changes.count == 2)
    #expect(more.sentence == "Tides.app is not as it was signed: \(more.changes[0]), and 1 more.")
  }

  @Test func `knows whose the name is`() async throws {
    let other = try IndexStage()
    let bundle = try other.bundle("1")
    #expect(try await store.judge(bundle).state == .whole, "the name is nobody's yet")
    _ = try await store.add(stage.bundle("1")) { _ in false }
    let judgement = try await store.judge(bundle)
    let newcomer = BundleTeam(team: other.certificate.team, name: "Example")
    #expect(judgement.state == .anotherTeam && judgement.team == newcomer)
    #expect(
      judgement.sentence
        == "Tides.app is signed by \(newcomer.shown), and its identifier belongs to \(team.shown).")
    #expect(judgement.refusal?.code == .permissionDenied && judgement.details["seal"] == "another-team")
    #expect(try await store.judge(stage.bundle("2")).state == .whole)
  }

  @Test func `refuses a key whose time is over`() async throws {
    let bundle = try stage.bundle("1")
    let key = try Ed25519.PrivateKey.generate()
    let until = stage.now - 86_400
    let certificate = try KeyCertificate(
      key.publicKey, by: stage.root, name: "Example", from: until - 1_000, until: until)
    try BundleSeal.sign(bundle, with: key, certificate, at: until - 10)
    let judgement = try await store.judge(bundle)
    #expect(judgement.state == .expired && judgement.refusal?.code == .extensionInvalid)
    #expect(judgement.sentence.hasSuffix("is not good now: it ends \(UnixTime(seconds: until).text())."))
    await #expect(throws: ExtensionError(.extensionInvalid, "")) { try await store.add(bundle) { _ in true } }
  }

  // MARK: What teams say

  @Test func `learns what a team takes back`() async throws {
    let bundle = try stage.bundle("1")
    let revocation = try Revocation(stage.certificate.signer, by: stage.root, because: "It was stolen.", at: stage.now)
    #expect(try !store.knows(revocation.document))
    #expect(
      try await store.learn(revocation.document)
        == .revocation(of: stage.certificate.signer, team: team.team, reason: "It was stolen."))
    #expect(try store.knows(revocation.document))
    let judgement = try await store.judge(bundle)
    #expect(judgement.state == .revoked && judgement.refusal?.code == .permissionDenied)
    #expect(judgement.sentence == "\(team.shown) revoked what signed Tides.app: It was stolen.")
    await #expect(throws: ExtensionError(.permissionDenied, "")) { try await store.add(bundle) { _ in true } }
    // Another team's word about this key says nothing.
    let stranger = try IndexStage()
    let strange = try Revocation(
      stage.certificate.signer, by: stranger.root, because: "Spite.", at: stage.now)
    #expect(try !store.knows(strange.document))
    _ = try await store.learn(strange.document)
    #expect(try await store.judge(bundle).sentence.hasSuffix("It was stolen."))
  }

  @Test func `follows a team to its new root key, the first that it names`() async throws {
    let next = try Ed25519.PrivateKey.generate()
    let rotation = try RootRotation(to: next.publicKey, by: stage.root, at: stage.now)
    _ = try await store.add(stage.bundle("1")) { _ in false }
    #expect(try !store.knows(rotation.document))
    let moved = BundleStore.Learned.rotation(
      from: team.team, to: KeyFingerprint.of(next.publicKey), identifiers: [IndexStage.app])
    #expect(try await store.learn(rotation.document) == moved)
    #expect(try store.knows(rotation.document))
    let record = try RegistryRecord.load(from: store.recordPath)
    #expect(record.teams[IndexStage.app] == BundleTeam(team: KeyFingerprint.of(next.publicKey), name: "Example"))
    #expect(try store.signedVersions().map(\.team) == [KeyFingerprint.of(next.publicKey)])
    // Once more changes nothing.
    #expect(
      try await store.learn(rotation.document)
        == .rotation(from: team.team, to: KeyFingerprint.of(next.publicKey), identifiers: []))
    let later = try RootRotation(to: try Ed25519.PrivateKey.generate().publicKey, by: stage.root, at: stage.now)
    await #expect(throws: ExtensionError(.permissionDenied, "")) { try await store.learn(later.document) }
    #expect(try RegistryRecord.load(from: store.recordPath) == record)
  }

  @Test func `learns nothing of what no team has signed`() async throws {
    for statement in [[], Array("nonsense".utf8)] as [[UInt8]] {
      #expect(try !store.knows(statement))
      let error = await #expect(throws: ExtensionError(.extensionInvalid, "")) { try await store.learn(statement) }
      #expect(error?.message.hasPrefix("The file is no statement of a team. ") == true)
    }
    var forged = try RootRotation(to: stage.root.publicKey, by: try IndexStage().root, at: stage.now).document
    forged[forged.count / 3] ^= 1
    await #expect(throws: ExtensionError(.extensionInvalid, "")) { try await store.learn(forged) }
  }
}
