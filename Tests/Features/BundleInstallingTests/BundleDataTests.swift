import ExtensionHosting
import Files
import Foundation
import TestSupport
import Testing

@testable import BundleInstalling

@Suite(.timeLimit(.minutes(1)))
struct `The data of an app` {
  private let folder: TemporaryDirectory
  private let data: BundleData
  private var state: StateDirectory { StateDirectory(path: folder.path) }

  init() throws {
    folder = try TemporaryDirectory()
    // An app whose name begins with the other's is an app of its own.
    var record = RegistryRecord()
    record.pin("a.b.c", to: BundleTeam(team: "t", name: "T"))
    data = BundleData(StateDirectory(path: folder.path), record)
  }

  private func put(_ paths: String...) throws {
    for path in paths {
      let file = folder.file(path)
      try FileManager.default.createDirectory(atPath: Folder.parent(of: file), withIntermediateDirectories: true)
      try File.replace(file, with: Array(path.utf8))
    }
  }

  private func names(_ path: String) -> [String] { Folder.names(in: folder.file(path)).sorted() }

  @Test func `goes aside with all of its extensions, and with nothing of other apps`() throws {
    try put(
      "containers/a.b/x", "containers/a.b.ext/x", "containers/a.bc/x", "containers/a.b.c/x", "containers/a.b.c.ext/x",
      "containers/a/x", "auth/a.b.ext/x", "health/a.b.json", "health/a.b.ext.json", "health/a.b.c.json")
    #expect(try data.handOver("a.b", from: "old", to: "new") == ["a.b", "a.b.ext"])
    #expect(names("containers") == ["a", "a.b.c", "a.b.c.ext", "a.bc"] && names("auth") == [])
    #expect(names("health") == ["a.b.c.json"])
    #expect(names("other-teams/old/containers") == ["a.b", "a.b.ext"] && names("other-teams/old/auth") == ["a.b.ext"])
    #expect(names("other-teams/old/health") == ["a.b.ext.json", "a.b.json"])
    #expect(names("other-teams/new/containers") == [])
  }

  @Test func `is moved once, however often it is begun`() throws {
    try put("containers/a.b.ext/x")
    _ = try data.handOver("a.b", from: "old", to: "new")
    // The new team has begun, and the hand-over is done once more.
    try put("containers/a.b.ext/y")
    #expect(try data.handOver("a.b", from: "old", to: "new") == ["a.b", "a.b.ext"])
    #expect(names("containers/a.b.ext") == ["y"] && names("other-teams/old/containers/a.b.ext") == ["x"])
    #expect(names("other-teams/old").contains("a.b.moved"))
    try data.forgetHandover("a.b", from: "old")
    #expect(!names("other-teams/old").contains("a.b.moved"))
    // And back.
    _ = try data.handOver("a.b", from: "new", to: "old")
    #expect(names("containers/a.b.ext") == ["x"] && names("other-teams/new/containers/a.b.ext") == ["y"])
    #expect(names("other-teams/old/containers") == [])
  }

  @Test func `of an app that has none is nothing but its name`() throws {
    #expect(try data.handOver("a.b", from: "old", to: "new") == ["a.b"])
  }

  @Test func `of unsigned bundles has a place of its own`() throws {
    try put("containers/a.b/x")
    _ = try data.handOver("a.b", from: "", to: "new")
    #expect(names("other-teams/unsigned/containers") == ["a.b"] && names("containers") == [])
    try data.forgetHandover("a.b", from: "")
    _ = try data.handOver("a.b", from: "new", to: "")
    #expect(names("containers/a.b") == ["x"])
  }

  @Test func `stays where something is in its way`() throws {
    try put("containers/a.b/x", "containers/a.b.ext/x", "other-teams/old/containers/a.b/y")
    _ = try data.handOver("a.b", from: "old", to: "new")
    #expect(names("containers/a.b") == ["x"] && names("other-teams/old/containers/a.b") == ["y"])
    #expect(names("other-teams/old/containers/a.b.ext") == ["x"])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The folders of a store` {
  private let folder: TemporaryDirectory
  private var folders: BundleFolders { BundleFolders(folder.path) }

  init() throws { folder = try TemporaryDirectory() }

  private static func digest(_ digit: Character) -> String { String(repeating: digit, count: 64) }

  /// A folder that was last changed some seconds ago.
  private func make(_ name: String, age: Double = 200_000) throws {
    try FileManager.default.createDirectory(atPath: folder.file("\(name)/X.app"), withIntermediateDirectories: true)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.file(name))
  }

  @Test func `go when nobody has named them for a day, but for what is used`() throws {
    try make(Self.digest("a"))
    try make(Self.digest("b"), age: 90_000)
    try make(Self.digest("c"), age: 80_000)
    try make(Self.digest("d"))
    var record = RegistryRecord()
    try record.add(bundle: folder.file("\(Self.digest("d"))/X.app"))
    folders.sweep(record)
    #expect(Folder.names(in: folder.path).sorted() == [Self.digest("c"), Self.digest("d")])
  }

  @Test func `of copies that nobody finished go at once, and nothing else does`() throws {
    let staging = try folders.stagingFolder()
    #expect(Folder.name(of: staging).hasPrefix(".new-") && Folder.isFolder(staging))
    for name in ["keep", "lock", String(Self.digest("a").dropLast()), Self.digest("a") + "a", Self.digest("g")] {
      try make(name)
    }
    folders.sweep(RegistryRecord())
    #expect(!Folder.isFolder(staging) && Folder.names(in: folder.path).count == 5)
  }

  @Test func `are removed although they are read-only`() throws {
    try make("x")
    for path in ["x/X.app", "x"] { try File.setMode(folder.file(path), 0o555) }
    BundleFolders.remove(folder.file("x"))
    #expect(FileStatus(folder.file("x")) == nil)
    BundleFolders.remove(folder.file("x"))
  }
}
