import BundleSeals
import Cryptography
import Files
import Foundation
import JSON
import TestSupport
import Testing
import UpdateMetadata

@testable import BundleIndex

@Suite(.timeLimit(.minutes(1)))
struct `The folder of an index` {
  private static let now: Int64 = 1_800_000_000
  private static let day: Int64 = 86_400
  private static let name = "org.example.a"

  private let folder: TemporaryDirectory
  private let root: Ed25519.PrivateKey
  private let key: Ed25519.PrivateKey
  private let certificate: KeyCertificate
  /// The versions of these tests are whole numbers.
  private var index: IndexFolder { IndexFolder(folder.file("index")) { Int($0) ?? 0 < Int($1) ?? 0 } }

  init() throws {
    folder = try TemporaryDirectory()
    (root, key) = (try .generate(), try .generate())
    certificate = try KeyCertificate(
      key.publicKey, by: root, name: "T", from: Self.now, until: Self.now + 400 * Self.day)
  }

  private func addition(_ version: String, _ content: String = "x", digest: Character = "a") throws
    -> (line: IndexLine, archive: String)
  {
    var line = `A line of an index`.line(Self.name, version)
    line.digest = String(repeating: digest, count: 64)
    (line.team, line.key) = (certificate.team, certificate.signer)
    return (line, try folder.write(content, to: "archive-\(UUID().uuidString)"))
  }

  @discardableResult
  private func publish(
    at time: Int64 = now, days: Int64 = 30, _ change: (inout IndexFolder.Change) throws -> Void = { _ in }
  ) throws -> IndexFolder.Published {
    var changes = IndexFolder.Change()
    try change(&changes)
    let keys = IndexFolder.Keys(
      signing: key, certificate: certificate, openRoot: { [root] _ in root }, openFormer: { _ in nil })
    return try index.publish(changes, by: keys, at: time, days: days)
  }

  /// A file of the index, as a client finds it.
  private func file(_ name: String, at time: Int64 = now) throws -> [UInt8] {
    func read(_ path: String) -> [UInt8]? { (try? Data(contentsOf: URL(filePath: path))).map { Array($0) } }
    var workflow = try UpdateWorkflow(root: read("\(index.metadata)/root.json") ?? [], kept: [:], at: time)
    workflow.seek(name)
    while case .fetch(let request) = try workflow.step() {
      _ = try workflow.receive(read("\(index.metadata)/\(request.name)"))
    }
    guard case .found(let description, let place) = try workflow.step() else { return [] }
    let bytes = try #require(read("\(index.files)/\(place)"))
    try description.require(bytes, file: name)
    return bytes
  }

  private func lines() throws -> [IndexLine] { try #require(IndexLine.lines(file(IndexLine.file(of: Self.name)))) }
  private func newest() throws -> [String] {
    try #require(IndexLine.lines(file(IndexLine.catalogue))).map(\.version)
  }

  @Test func `is signed while its key is good, and holds no longer than that`() throws {
    for time in [certificate.from - 1, certificate.until] {
      let error = #expect(throws: SealError.self) { try publish(at: time) }
      #expect(error?.kind == .keyRefused, "\(time)")
    }
    #expect(try publish(at: certificate.from).expires == Self.now + 30 * Self.day)
    #expect(try publish(at: certificate.until - 30 * Self.day).expires == certificate.until)
    let last = try publish(at: certificate.until - 1)
    #expect(last.expires == certificate.until && last.version == 3 && last.root == certificate.team)
  }

  @Test func `has its root made anew from thirty days before its end on`() throws {
    #expect(try publish().rootVersion == 1)
    #expect(try publish(at: Self.now + 335 * Self.day - 1).rootVersion == 1)
    #expect(try publish(at: Self.now + 335 * Self.day).rootVersion == 2)
    #expect(try publish(at: Self.now + 335 * Self.day).rootVersion == 2)
  }

  @Test func `has each version once, with the archive that came first`() throws {
    let first = try publish { $0.additions = [try addition("1", "abc")] }
    #expect(first.added == 1 && first.names == 1)
    #expect(try lines().map(\.size) == [3])
    let again = try publish { $0.additions = [try addition("1", "other")] }
    #expect(again.added == 0 && again.names == 1)
    let archive = try #require(try lines().first?.archive)
    #expect(try file(archive) == Array("abc".utf8))
    let error = #expect(throws: SealError.self) { try publish { $0.additions = [try addition("1", digest: "b")] } }
    #expect(error?.kind == .unsealable)
    // A publication that failed leaves no lock, and no version.
    #expect(try publish { $0.additions = [try addition("2", digest: "b")] }.version == 3)
    #expect(try lines().map(\.version) == ["1", "2"])
    #expect(try newest() == ["2"])
  }

  @Test func `offers the newest version that was not taken back`() throws {
    try publish {
      $0.additions = [
        try addition("1", digest: "a"), try addition("2", digest: "b"), try addition("3", digest: "c"),
      ]
    }
    try publish { $0.yanks = [(Self.name, "3", "bad")] }
    #expect(try lines().map(\.yanked) == [nil, nil, "bad"] && newest() == ["2"])
    try publish { $0.yanks = [(Self.name, "1", "old")] }
    #expect(try lines().map(\.yanked) == ["old", nil, "bad"] && newest() == ["2"])
    for (name, version) in [(Self.name, "4"), ("org.example.b", "1")] {
      let error = #expect(throws: SealError.self) { try publish { $0.yanks = [(name, version, "x")] } }
      #expect(error?.kind == .unsealable)
    }
    try publish { $0.yanks = [(Self.name, "2", "all")] }
    #expect(try newest() == [])
  }

  /// A correction of an earlier version comes after the later one.
  @Test func `offers the highest version, whichever was published last`() throws {
    try publish { $0.additions = [try addition("10", digest: "a")] }
    try publish { $0.additions = [try addition("9", digest: "b")] }
    #expect(try lines().map(\.version) == ["10", "9"] && newest() == ["10"])
    try publish { $0.yanks = [(Self.name, "10", "bad")] }
    #expect(try newest() == ["9"])
    try publish { $0.additions = [try addition("8", digest: "c")] }
    #expect(try newest() == ["9"])
  }

  @Test func `takes back what its team has revoked, by the last word on it`() throws {
    try publish { $0.additions = [try addition("1", digest: "a"), try addition("2", digest: "b")] }
    let digest = String(repeating: "a", count: 64)
    let (stranger, team) = (try Ed25519.PrivateKey.generate(), root)
    func revocation(_ what: String, _ reason: String, by key: Ed25519.PrivateKey) throws -> [UInt8] {
      try Revocation(what, by: key, because: reason, at: 5).document
    }
    let foreign = try revocation(digest, "envy", by: stranger)
    try publish { $0.statements = [foreign] }
    #expect(try lines().map(\.yanked) == [nil, nil])
    let first = try revocation(digest, "first", by: team)
    let second = try revocation(digest, "second", by: team)
    try publish { $0.statements = [first, second] }
    #expect(try lines().map(\.yanked) == ["second", nil])
    #expect(try file(IndexLine.statements).split(separator: 0x0A).count == 2)
    // What was said once stays so, when it is not said again.
    try publish()
    #expect(try lines().map(\.yanked) == ["second", nil])
    #expect(try file(IndexLine.statements).isEmpty)
    try publish { $0.statements = [try revocation(certificate.signer, "stolen", by: team)] }
    #expect(try lines().map(\.yanked) == ["stolen", "stolen"])
  }

  @Test func `takes no version under a name that is none`() throws {
    var addition = try addition("1")
    addition.line.identifier = "../x"
    let error = #expect(throws: SealError.self) { try publish { $0.additions = [addition] } }
    #expect(error?.kind == .unsealable)
    #expect(try publish().names == 0)
  }

  @Test func `is published by one at a time`() throws {
    try publish()
    // A lock cannot be copied, and so `#require` does not take it.
    guard let lock = try FileLock.attempt("\(index.path)/.lock") else {
      Issue.record("the lock is taken")
      return
    }
    let error = #expect(throws: SealError.self) { try publish() }
    #expect(error?.kind == .system && error?.message == "Another process publishes to \(index.path).")
    lock.unlock()
    #expect(try publish().version == 2)
  }

  @Test func `is for every web server to read`() throws {
    let one = try addition("1")
    try File.setMode(one.archive, 0o600)
    try publish { $0.additions = [one] }
    for name in try FileManager.default.subpathsOfDirectory(atPath: index.path) where name != ".lock" {
      let status = try #require(FileStatus("\(index.path)/\(name)"))
      #expect(status.mode & 0o777 == (status.kind == .directory ? 0o755 : 0o644), "\(name)")
    }
  }

  @Test func `is handed on to other keys by those of before, and needs them no more then`() throws {
    func bytes(_ name: String) throws -> [UInt8] { try File.read("\(index.metadata)/\(name)", limit: 1 << 20) }
    func signatures() throws -> Int? { try JSONCoding.parse(bytes("timestamp.json"))["signatures"]?.arrayValue?.count }
    try publish { $0.additions = [try addition("1")] }
    #expect(try signatures() == 1)
    let (newRoot, newKey) = (try Ed25519.PrivateKey.generate(), try Ed25519.PrivateKey.generate())
    let new = try KeyCertificate(
      newKey.publicKey, by: newRoot, name: "T", from: Self.now, until: Self.now + 400 * Self.day)
    let (oldRoot, oldKey, old) = (root, key, certificate)
    let both = IndexFolder.Keys(
      signing: newKey, certificate: new, openRoot: { $0 == new.team ? newRoot : oldRoot },
      openFormer: { $0 == old.signer ? oldKey : nil })
    let published = try index.publish(IndexFolder.Change(), by: both, at: Self.now, days: 30)
    #expect(published.root == new.team && published.rootVersion == 2 && published.names == 1)
    #expect(try signatures() == 2)
    // Who knows the first root alone comes to the second.
    var workflow = try UpdateWorkflow(root: bytes("1.root.json"), kept: [:], at: Self.now)
    workflow.seek(IndexLine.catalogue)
    while case .fetch(let request) = try workflow.step() { _ = try workflow.receive(try? bytes(request.name)) }
    #expect(workflow.version(of: "root") == 2)
    #expect(workflow.root.rootKeys == [MetadataKey(newRoot.publicKey)])
    #expect(workflow.root.onlineKeys == [MetadataKey(newKey.publicKey)])
    let alone = IndexFolder.Keys(
      signing: newKey, certificate: new,
      openRoot: { (_: String) throws(SealError) -> Ed25519.PrivateKey in
        throw SealError(.keyRefused, "The root is not at hand.", recovery: "")
      }, openFormer: { _ in oldKey })
    #expect(try index.publish(IndexFolder.Change(), by: alone, at: Self.now, days: 30).rootVersion == 2)
    #expect(try signatures() == 1)
  }

  @Test func `is not written over when it is damaged`() throws {
    try publish { $0.additions = [try addition("1")] }
    let names = "\(index.files)/names"
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: names).first)
    let whole = try String(contentsOfFile: "\(names)/\(file)", encoding: .utf8)
    try whole.replacing("\"version\"", with: "\"Version\"").write(
      toFile: "\(names)/\(file)", atomically: false, encoding: .utf8)
    let error = #expect(throws: SealError.self) { try publish() }
    #expect(error?.kind == .malformed)
    try whole.write(toFile: "\(names)/\(file)", atomically: false, encoding: .utf8)
    #expect(try publish().version == 2)
    let timestamp = "\(index.metadata)/timestamp.json"
    try "{}".write(toFile: timestamp, atomically: false, encoding: .utf8)
    #expect(throws: SealError.self) { try publish() }
  }
}
