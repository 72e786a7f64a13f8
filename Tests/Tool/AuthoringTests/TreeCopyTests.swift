import Files
import Foundation
import TestSupport
import Testing

@testable import Authoring

/// What of a project becomes part of a bundle.
@Suite(.timeLimit(.minutes(1)))
struct `A copy of a tree` {
  private let folder: TemporaryDirectory
  private let draft: FolderDraft

  init() throws {
    folder = try TemporaryDirectory()
    draft = FolderDraft(path: folder.file("draft"))
    try makeFolders("draft", "source")
  }

  private func makeFolders(_ names: String...) throws {
    for name in names {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
  }

  private func copy(
    _ name: String = "source", to target: String = "copy", leavingOut: Set<String> = []
  ) throws(FileError) {
    var copy = TreeCopy(into: draft)
    try copy.copy(folder.file(name), to: target, leavingOut: leavingOut)
  }

  private func copied(_ name: String) -> String { "\(draft.path)/\(name)" }
  private func text(_ name: String) -> String? { try? String(contentsOfFile: copied(name), encoding: .utf8) }
  private func names(in name: String) -> [String] { Folder.names(in: copied(name)).sorted() }

  private func refusal(_ name: String = "source", to target: String = "copy") -> FileError? {
    do throws(FileError) {
      try copy(name, to: target)
      return nil
    } catch {
      return error
    }
  }

  @Test func `has the folders too that nothing is in`() throws {
    try makeFolders("source/empty/inner")
    try copy()
    #expect(Folder.isFolder(copied("copy/empty/inner")))
  }

  @Test func `may be the draft itself`() throws {
    try makeFolders("source/inner")
    _ = try folder.write("a", to: "source/inner/a.txt")
    try copy(to: "")
    #expect(names(in: "") == ["inner"] && text("inner/a.txt") == "a")
  }

  @Test func `may be one file, with the folders on the way to it`() throws {
    _ = try folder.write("a", to: "source/a.txt")
    try copy("source/a.txt", to: "far/away/b.txt")
    #expect(text("far/away/b.txt") == "a")
  }

  @Test func `can be run where the original can, by everybody`() throws {
    for (name, mode) in [("run", 0o700), ("read", 0o600)] {
      _ = try folder.write(name, to: "source/\(name)")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("source/\(name)"))
    }
    try copy()
    let status = try #require(FileStatus(copied("copy/run")))
    #expect(status.mode & 0o777 == 0o755)
    #expect(FileStatus(copied("copy/read"))?.isExecutable == false && text("copy/read") == "read")
  }

  @Test func `leaves out what tools leave behind, and what is named in the folder itself`() throws {
    try makeFolders("source/.git", "source/inner/__pycache__", "source/inner/.build")
    for name in [".git/HEAD", ".hidden", "Info.plist", "inner/Info.plist", "inner/__pycache__/a", "inner/.gitignore"] {
      _ = try folder.write(name, to: "source/\(name)")
    }
    try copy(leavingOut: ["Info.plist"])
    #expect(names(in: "copy") == [".hidden", "inner"] && names(in: "copy/inner") == ["Info.plist"])
  }

  @Test func `keeps a link that stays inside, and one from the root`() throws {
    _ = try folder.write("a", to: "source/a.txt")
    try link("source/b.txt", to: "a.txt")
    try link("source/python", to: "/nowhere/python")
    try copy()
    #expect(File.linkTarget(of: copied("copy/b.txt")) == "a.txt")
    #expect(File.linkTarget(of: copied("copy/python")) == "/nowhere/python")
    try copy("source/python", to: "far/away/python")
    #expect(File.linkTarget(of: copied("far/away/python")) == "/nowhere/python")
  }

  @Test func `has what a link to the outside leads to`() throws {
    try makeFolders("beside/inner")
    _ = try folder.write("a", to: "beside/inner/a.txt")
    try link("source/tree", to: "../beside")
    try link("source/b.txt", to: "../beside/inner/a.txt")
    try copy()
    #expect(File.linkTarget(of: copied("copy/tree")) == nil && File.linkTarget(of: copied("copy/b.txt")) == nil)
    #expect(text("copy/tree/inner/a.txt") == "a" && text("copy/b.txt") == "a")
  }

  @Test func `is none of a link to nothing, or of nothing`() throws {
    #expect(refusal("none") != nil)
    try link("source/b.txt", to: "none.txt")
    #expect(refusal()?.message.contains("/source/b.txt") == true)
  }

  @Test func `is none of what is neither a file nor a folder`() throws {
    #expect(mkfifo(folder.file("source/pipe"), 0o600) == 0)
    #expect(refusal()?.kind == .notRegular)
    #expect(refusal(to: "other")?.message == "\(folder.file("source/pipe")) is neither a file nor a folder.")
  }

  @Test func `has at most 32 folders in one another`() throws {
    let deepest = "source" + String(repeating: "/d", count: 32)
    try makeFolders(deepest)
    #expect(refusal() == nil && Folder.isFolder(copied("copy" + String(repeating: "/d", count: 32))))
    _ = try folder.write("a", to: "\(deepest)/a.txt")
    #expect(refusal(to: "other")?.kind == .tooLarge)
    #expect(
      refusal(to: "again")?.message
        == "\(folder.file("source")) has too many files, or too deep folders, for a bundle.")
  }
}
