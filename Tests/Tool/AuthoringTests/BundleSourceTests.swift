import ExtensionProtocol
import Files
import Foundation
import TestSupport
import Testing

@testable import Authoring

/// What a bundle is made of.
@Suite(.timeLimit(.minutes(1)))
struct `A folder that a bundle is made of` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ names: String...) throws {
    for name in names {
      let path = folder.file(name)
      try FileManager.default.createDirectory(atPath: Folder.parent(of: path), withIntermediateDirectories: true)
      try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  /// What is found, as `PRODUCT PATH` for each manifest; a bundle is its path alone.
  private func found(_ name: String = "project") throws -> [String] {
    switch try BundleSource(folder.file(name)) {
    case .bundle(let path): [part(path)]
    case .manifests(let parts): parts.map { "\($0.product) \(part($0.path))" }
    }
  }

  private func part(_ path: String) -> String { String(path.dropFirst(folder.path.utf8.count + 1)) }

  @Test func `is a bundle itself`() throws {
    try write("Tea.app/Manifests/A.plist", "Tea.appex/Manifests/A.plist")
    #expect(try found("Tea.app") == ["Tea.app"] && found("Tea.appex") == ["Tea.appex"])
  }

  @Test func `has manifests in a folder of their own before all else`() throws {
    try write("project/Manifests/B.plist", "project/Manifests/A.plist", "project/Manifests/A.txt")
    try write("project/Tea.app/Info.plist", "project/C/Info.plist", "project/D.plist")
    #expect(try found() == ["A project/Manifests/A.plist", "B project/Manifests/B.plist"])
  }

  @Test func `has one bundle`() throws {
    try write("project/Tea.app/Info.plist", "project/Odd.app", "project/C/Info.plist", "project/D.plist")
    #expect(try found() == ["project/Tea.app"])
    try write("project/Coffee.app/Info.plist")
    let error = #expect(throws: ExtensionError.self) { try found() }
    #expect(error?.message == "There are several bundles in \(folder.file("project")): Coffee.app, Tea.app.")
    #expect(error?.recovery == "Name one of them.")
  }

  @Test func `has a manifest in the folder of each target`() throws {
    try write("project/B/Info.plist", "project/A/Info.plist", "project/C/other.plist", "project/D.plist")
    try write("project/Sources/E/Info.plist")
    #expect(
      try found() == ["A project/A/Info.plist", "B project/B/Info.plist", "E project/Sources/E/Info.plist"])
  }

  @Test func `has manifests beside one another`() throws {
    try write("project/B.plist", "project/A.plist", "project/.hidden.plist")
    #expect(try found() == ["A project/A.plist", "B project/B.plist"])
  }

  @Test func `is none with nothing of that`() throws {
    try write("project/README.md")
    let error = #expect(throws: ExtensionError.self) { try found() }
    #expect(error?.code == .extensionInvalid)
    #expect(error?.message == "There is no manifest in \(folder.file("project")), and no bundle.")
    #expect(
      error?.recovery
        == "Put the property lists of the app and its extensions into \(folder.file("project"))/Manifests.")
  }
}
