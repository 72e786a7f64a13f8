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

/// An index that lies, holds back or goes away. What was installed stays as it was, and the reason is said.
@Suite(.timeLimit(.minutes(3)))
struct `A hostile index` {
  private let stage: IndexStage

  init() throws {
    stage = try IndexStage()
    try stage.publish([stage.addition(stage.bundle("1"))])
  }

  /// Installs version 1, publishes version 2, and tries to install it while the server does something else.
  private func attempt(
    _ fault: @escaping @Sendable (ServerRequest) -> ServerResponse?
  ) async throws -> ExtensionError? {
    try await stage.withIndex { index async throws in
      if try await stage.installed() == nil { try await index.install() }
      if try await index.offers(of: IndexStage.app).count == 1 {
        try stage.publish([stage.addition(stage.bundle("2"))])
      }
      // What was fetched before has to be fetched again.
      try stage.publish()
      stage.fault.withLock { $0 = fault }
      let error = await index.failure()
      #expect(try await stage.installed() == "1")
      stage.fault.withLock { $0 = { _ in nil } }
      return error
    }
  }

  @Test func `changes a byte of any file, and is found out`() async throws {
    for name in [
      "timestamp.json", ".snapshot.json", ".targets.json", "team-", ".org.example.tides", ".tar",
    ] {
      let path = stage.index.path
      let error = try await attempt { request in
        guard request.path.contains(name),
          var bytes = try? File.read("\(path)\(request.path)", limit: 1 << 20)
        else { return nil }
        bytes[bytes.count / 2] ^= 1
        return ServerResponse(body: bytes)
      }
      #expect(error?.code == .extensionInvalid, "\(name): \(String(describing: error))")
      #expect(error?.details["metadata"] != nil)
    }
  }

  @Test func `goes away in the middle of each file`() async throws {
    for name in ["timestamp.json", ".snapshot.json", "team-", ".org.example.tides", ".tar"] {
      #expect(try await attempt { $0.path.contains(name) ? .dropped : nil }?.code == .networkFailed, "\(name)")
      #expect(
        try await attempt { $0.path.contains(name) ? ServerResponse(status: 500) : nil }?.code == .networkFailed,
        "\(name)"
      )
    }
  }

  @Test func `sends without an end`() async throws {
    for name in ["timestamp.json", ".snapshot.json", ".org.example.tides", ".tar"] {
      let error = try await attempt { request in
        request.path.contains(name) ? ServerResponse(body: [UInt8](repeating: 0x20, count: 3 << 20)) : nil
      }
      #expect(error?.details["metadata"] == "endless", "\(name): \(String(describing: error))")
    }
    // There is always one more root.
    let root = try File.read("\(stage.index.path)/metadata/root.json", limit: 1 << 20)
    let error = try await attempt { $0.path.contains(".root.json") ? ServerResponse(body: root) : nil }
    #expect(error?.code == .extensionInvalid)
  }

  @Test func `gives back an older index`() async throws {
    try await stage.withIndex { index async throws in
      let old = stage.folder.file("old")
      try FileManager.default.copyItem(atPath: stage.index.path, toPath: old)
      try stage.publish([stage.addition(stage.bundle("2"))])
      try await index.install()
      stage.fault.withLock {
        $0 = { request in
          (try? File.read("\(old)\(request.path)", limit: 1 << 20)).map { ServerResponse(body: $0) }
            ?? ServerResponse(status: 404)
        }
      }
      let error = await index.failure()
      #expect(error?.details["metadata"] == "rolled-back")
      await #expect(throws: ExtensionError.self) { try await index.updates() }
      #expect(try await stage.installed() == "2")
    }
  }

  @Test func `was not kept up, and cannot be made younger`() async throws {
    let past = try IndexStage()
    try past.publish([past.addition(past.bundle("1"))], at: past.now - 30 * 86_400 - 5)
    try await past.withIndex { index async throws in
      let error = await index.failure()
      #expect(error?.details["metadata"] == "expired" && error?.message.contains("timestamp.json expired 20") == true)
      let path = "\(past.index.path)/metadata/timestamp.json"
      let text = String(decoding: try File.read(path, limit: 1 << 20), as: UTF8.self)
      let range = try #require(text.range(of: "\"expires\": \"20"))
      var changed = text
      changed.replaceSubrange(range, with: "\"expires\": \"21")
      try File.replace(path, with: Array(changed.utf8))
      #expect(await index.failure()?.details["metadata"] == "not-signed")
    }
  }

  @Test func `names another bundle than it sends`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      let changes: [(String, (inout IndexLine) -> Void)] = [
        (IndexStage.app, { $0.version = "3" }), ("org.example.other", { $0.identifier = "org.example.other" }),
        (IndexStage.app, { $0.team = String(repeating: "a", count: 64) }),
      ]
      for (name, change) in changes {
        try stage.publish([stage.addition(stage.bundle("2"), change)])
        do {
          _ = try await index.install(name) { _ in true }
          #expect(Bool(false), "\(name)")
        } catch let error as ExtensionError {
          #expect(error.code == .extensionInvalid && error.message.contains("and the bundle is"), "\(error)")
        }
        try? FileManager.default.removeItem(atPath: stage.index.path)
        _ = try? index.forget()
        try stage.publish([stage.addition(stage.bundle("1"))])
        try await index.trust { _ in true }
      }
      #expect(try await stage.installed() == "1")
    }
  }

  @Test func `sends a bundle that was changed after it was signed`() async throws {
    try await stage.withIndex { index async throws in
      try await index.install()
      let bundle = try stage.bundle("2")
      let addition = try stage.addition(bundle)
      // The archive is described as it is, by keys that are good: only the seal tells.
      guard case .seal(let seal) = BundleSeal.read(bundle) else { return #expect(Bool(false)) }
      try File.replace("\(bundle)/PlugIns/Clock.appex/clock", with: Array("# version X\n".utf8))
      try FileManager.default.removeItem(atPath: addition.archive)
      try BundleArchive.write(bundle, seal, to: addition.archive)
      try stage.publish([addition])
      let error = await index.failure()
      #expect(error?.code == .extensionInvalid)
      #expect(error?.message.contains("PlugIns/Clock.appex/clock") == true)
      #expect(try await stage.installed() == "1")
    }
  }
}
