import BundleIndex
import BundleInstalling
import BundleSeals
import ExtensionHosting
import ExtensionProtocol
import Files
import Foundation
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `An index of extensions` {
  private let stage: IndexStage

  init() throws {
    stage = try IndexStage()
    try stage.publish([stage.addition(stage.bundle("1"))])
  }

  @Test func `is trusted by the fingerprint of its root, once`() async throws {
    try await stage.withIndex(isTrusted: false) { index async throws in
      #expect(await index.failure()?.code == .permissionDenied)
      await #expect(throws: ExtensionError.self) { try await index.trust { _ in false } }
      #expect(!index.isTrusted && ExtensionIndex.trusted(stage.store).isEmpty)
      try await index.trust { root in root.fingerprint == stage.certificate.team }
      #expect(index.root?.version == 1)
      // Nobody is asked again.
      try await index.trust { _ in false }
      #expect(ExtensionIndex.trusted(stage.store).map(\.url) == [index.url])
      try await index.install()
      #expect(try index.forget())
      #expect(try !index.forget())
      #expect(await index.failure()?.code == .permissionDenied)
      #expect(try await stage.installed() == "1")
    }
  }

  @Test func `is not trusted by a root whose time is over, which nobody is shown`() async throws {
    let old = try IndexStage()
    try old.publish([old.addition(old.bundle("1"))], at: old.now - 366 * 86_400)
    try await old.withIndex(isTrusted: false) { index async throws in
      let error = await #expect(throws: ExtensionError(.extensionInvalid, "")) {
        try await index.trust { _ in
          Issue.record("its time is over")
          return true
        }
      }
      #expect(error?.details["metadata"] == "expired" && !index.isTrusted)
      try old.publish()
      try await index.trust { _ in true }
      #expect(index.root?.version == 2)
    }
  }

  @Test func `installs, finds and updates a bundle`() async throws {
    try await stage.withIndex { index async throws in
      let installed = try await index.install()
      #expect(installed.identifier == IndexStage.app && installed.version == "1" && installed.replaced == nil)
      #expect(try await stage.installed() == "1")
      #expect(try await index.updates().isEmpty)
      #expect(try await index.search(["TIDES", "today"]).map(\.version) == ["1"])
      #expect(try await index.search(["moon"]).isEmpty)
      try stage.publish([stage.addition(stage.bundle("2")), stage.addition(stage.bundle("1.5"))])
      let update = try #require(try await index.updates().first)
      #expect((update.installed, update.offer.version) == ("1", "2"))
      #expect(try await index.updates(minimumAge: 3_600).isEmpty)
      try await index.install()
      #expect(try await stage.installed() == "2")
      let error = await index.failure("1")
      #expect(error?.code == .extensionInvalid && error?.message.contains("is older than 2") == true)
      #expect(await index.failure("7")?.recovery == "It has: 1, 2, 1.5.")
      #expect(try await stage.installed() == "2")
    }
  }

  @Test func `offers no version that was taken back, unless it is named`() async throws {
    try stage.publish([stage.addition(stage.bundle("2"))])
    try stage.publish(yanks: [(IndexStage.app, "2", "It burns.")])
    try await stage.withIndex { index async throws in
      #expect(try await index.install().version == "1")
      #expect(try await index.offers(of: IndexStage.app).map(\.yanked) == [nil, "It burns."])
      #expect(try await index.updates().isEmpty)
      #expect(try await index.install("2").version == "2")
    }
  }

  @Test func `asks for what a version wants besides, and where it wants to go`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      let annex =
        "<key>Network</key><array><string>api.example.com</string></array>"
        + "<key>Entitlements</key><array><string>network</string></array>"
      try stage.publish([stage.addition(stage.bundle("2", annex: annex))])
      let asked = Mutex<[BundleQuestion]>([])
      await #expect(throws: ExtensionError.self) {
        try await index.install(IndexStage.app) { question in
          asked.withLock { $0.append(question) }
          return false
        }
      }
      let sentence = asked.withLock { $0.first?.sentence } ?? ""
      #expect(sentence.contains("network, network api.example.com"), "\(sentence)")
      #expect(try await stage.installed() == "1")
      try await index.install()
      #expect(try await stage.installed() == "2")
    }
  }

  @Test func `uses the version of before again when the new one fails its trial`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      try stage.publish([stage.addition(stage.bundle("2"))])
      var choice = ExtensionIndex.Choice()
      choice.trial = { installed in
        #expect(installed.version == "2")
        throw ExtensionError(.launchFailed, "It does not run.")
      }
      let trial = choice
      do {
        _ = try await index.install(IndexStage.app, trial) { _ in true }
        #expect(Bool(false))
      } catch let error as ExtensionError {
        #expect(error.details["rolledBack"] == .bool(true))
        #expect(error.message.contains("1 is used again"))
      }
      #expect(try await stage.installed() == "1")
      try await index.install()
      #expect(try await stage.installed() == "2")
    }
  }

  @Test func `hands on what a team has revoked`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      let revocation = try Revocation(
        stage.certificate.signer, by: stage.root, because: "The laptop was stolen.", at: stage.now)
      try stage.changeSigningKey()
      let nonsense = Array("nonsense".utf8)
      try stage.publish([stage.addition(stage.bundle("2"))], statements: [nonsense, revocation.document, nonsense])
      #expect(try await index.learnStatements().count == 1)
      #expect(try await index.learnStatements().isEmpty)
      let record = try RegistryRecord.load(from: stage.store.recordPath)
      #expect(record.revoked.values.sorted() == ["The laptop was stolen."])
      // What the stolen key signed is offered no longer; what was signed since is.
      #expect(try await index.offers(of: IndexStage.app).map(\.yanked) == ["The laptop was stolen.", nil])
      #expect(await index.failure("1")?.code == .permissionDenied)
      try await index.install()
      #expect(try await stage.installed() == "2")
    }
  }

  @Test func `is believed through changes of its keys`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      let former = stage.keys().signing
      try stage.changeSigningKey()
      #expect(try stage.publish([stage.addition(stage.bundle("2"))], former: former).rootVersion == 2)
      try await index.install()
      #expect(index.root?.version == 2)
      #expect(try stage.publish().rootVersion == 2)
    }
  }

  @Test func `has its root made anew in the last month of it`() async throws {
    let old = try IndexStage()
    #expect(try old.publish([old.addition(old.bundle("1"))], at: old.now - 336 * 86_400).rootVersion == 1)
    try await old.withIndex { index async throws in
      #expect(await index.failure()?.details["metadata"] == "expired")
      #expect(try old.publish().rootVersion == 2)
      try await index.install()
      #expect(index.root?.version == 2)
    }
  }

  @Test func `goes on with a download where it stopped`() async throws {
    try await stage.withIndex { index async throws in
      stage.fault.withLock {
        $0 = { request in
          guard request.path.hasSuffix(".tar") else { return nil }
          let path = "\(stage.index.path)\(request.path)"
          guard let bytes = try? File.read(path, limit: 1 << 20) else { return nil }
          return ServerResponse(body: bytes, bytesBeforeEnd: 4_000)
        }
      }
      let error = await index.failure()
      #expect(error?.code == .networkFailed && error?.recovery?.contains("goes on") == true)
      #expect(try await stage.installed() == nil)
      let ranges = Mutex<[String?]>([])
      stage.fault.withLock {
        $0 = { request in
          if request.path.hasSuffix(".tar") { ranges.withLock { $0.append(request.header("Range")) } }
          return nil
        }
      }
      try await index.install()
      #expect(ranges.withLock { $0.count } == 1)
      #expect(ranges.withLock { $0.first ?? nil }?.hasPrefix("bytes=") == true)
      #expect(try await stage.installed() == "1")
      // Nothing of the download is left.
      let kept = try FileManager.default.subpathsOfDirectory(atPath: stage.folder.file("state/indexes"))
      #expect(!kept.contains { $0.contains(".part") || $0.contains(".new-") })
    }
  }

  @Test func `looks for updates of one bundle or of all, and drops what nobody goes on with`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      let place = stage.folder.file("state/indexes")
      let name = try #require(Folder.names(in: place).first)
      let left = "\(place)/\(name)/downloads/left.part"
      func leave() throws {
        try Folder.make(Folder.parent(of: left))
        try File.replace(left, with: [1])
      }
      try leave()
      #expect(try await index.updates(of: IndexStage.app).isEmpty)
      #expect(FileStatus(left) != nil, "that may be another bundle's")
      #expect(try await index.updates().isEmpty)
      #expect(FileStatus(left) == nil)
      try stage.publish([stage.addition(stage.bundle("2"))])
      try leave()
      #expect(try await index.updates(of: "org.example.other").isEmpty)
      #expect(try await index.updates(of: IndexStage.app).map(\.offer.version) == ["2"])
      #expect(try await index.updates().map(\.installed) == ["1"])
      #expect(FileStatus(left) != nil, "an update is about to go on with it")
    }
  }
}
