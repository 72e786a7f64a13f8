import Files
import Foundation
import TestSupport
import Testing

@testable import Authoring

/// A folder on its way to its name.
@Suite(.timeLimit(.minutes(1)))
struct `A folder that is written` {
  private let folder: TemporaryDirectory
  private var target: String { folder.file("target") }

  init() throws { folder = try TemporaryDirectory() }

  private func text(_ name: String) -> String? { try? String(contentsOfFile: folder.file(name), encoding: .utf8) }

  private func write(_ body: (FolderDraft) throws(FileError) -> Void) -> FileError? {
    do throws(FileError) {
      try FolderDraft.write(target, body)
      return nil
    } catch {
      return error
    }
  }

  @Test func `has its name when it is whole`() {
    let error = write { draft throws(FileError) in
      try draft.write(Array("a".utf8), to: "in/ner/a.txt")
      try draft.write(Array("b".utf8), to: "./b", isExecutable: true)
      #expect(FileStatus(target) == nil)
    }
    #expect(error == nil && text("target/in/ner/a.txt") == "a" && text("target/b") == "b")
    #expect(FileStatus("\(target)/b")?.isExecutable == true)
    #expect(FileStatus("\(target)/in/ner/a.txt")?.isExecutable == false)
    #expect(Folder.names(in: folder.path) == ["target"])
  }

  @Test func `is for everybody that a folder of this user is for`() throws {
    #expect(write { draft throws(FileError) in try draft.makeFolder("in") } == nil)
    let mode = try #require(FileStatus("\(target)/in")).mode
    #expect(FileStatus(target)?.mode == mode)
  }

  @Test func `is nothing when something fails`() {
    let failure = FileError(.tooLarge, "Too much.")
    let error = write { draft throws(FileError) in
      try draft.write([1], to: "a")
      throw failure
    }
    #expect(error == failure && Folder.names(in: folder.path) == [])
  }

  @Test func `takes the place of nothing`() throws {
    _ = try folder.write("mine", to: "target")
    #expect(write { draft throws(FileError) in try draft.write([1], to: "a") } != nil)
    #expect(text("target") == "mine" && Folder.names(in: folder.path) == ["target"])
    // An empty folder, which the system would replace.
    try FileManager.default.removeItem(atPath: target)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    #expect(write { draft throws(FileError) in try draft.write([1], to: "a") } != nil)
    #expect(Folder.names(in: target) == [] && Folder.names(in: folder.path) == ["target"])
  }

  @Test func `has no file twice, and no folder where a file is`() {
    let error = write { draft throws(FileError) in
      try draft.write([1], to: "a")
      #expect(throws: FileError.self) { try draft.write([2], to: "a") }
      #expect(throws: FileError.self) { try draft.makeFolder("a") }
      try draft.makeFolder("b")
      try draft.makeFolder("b")
    }
    #expect(error == nil && Folder.names(in: target).sorted() == ["a", "b"])
  }

  @Test func `takes the place of another when it is moved there`() throws {
    for name in ["source", "target"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      _ = try folder.write(name, to: "\(name)/a.txt")
    }
    try FolderSwap.move(folder.file("source"), to: target)
    #expect(text("target/a.txt") == "source" && Folder.names(in: folder.path) == ["target"])
    try FolderSwap.move(target, to: folder.file("new"))
    #expect(text("new/a.txt") == "source" && Folder.names(in: folder.path) == ["new"])
  }

  @Test func `leaves the other in its place when it cannot be moved`() throws {
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    _ = try folder.write("mine", to: "target/a.txt")
    let error = #expect(throws: FileError.self) { try FolderSwap.move(folder.file("none"), to: target) }
    #expect(error?.message.contains("replace") == true)
    #expect(text("target/a.txt") == "mine" && Folder.names(in: folder.path) == ["target"])
    #expect(throws: FileError.self) { try FolderSwap.move(folder.file("none"), to: folder.file("new")) }
  }
}
