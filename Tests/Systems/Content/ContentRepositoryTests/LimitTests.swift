import Files
import Glibc
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A limit of a content` {
  private static let model = #"{"fields": [{"name": "name", "type": "text"}]}"#
  private static let fragment = #"{"model": "thing", "fields": {}}"#

  private static func problems(_ files: [String: String], _ change: (inout ContentLimits) -> Void) -> [String] {
    var limits = ContentLimits()
    change(&limits)
    do throws(ContentProblems) {
      _ = try ContentRepository(files: files.mapValues { Array($0.utf8) }, limits: limits)
      return []
    } catch {
      return error.problems.map { "\($0.file) \($0.message)" }
    }
  }

  @Test func `is the size of a file`() {
    let files = ["models/s/thing.json": Self.model]
    #expect(Self.problems(files) { $0.fileBytes = Self.model.utf8.count } == [])
    #expect(
      Self.problems(files) { $0.fileBytes = Self.model.utf8.count - 1 }
        == ["models/s/thing.json The file is larger than 0 KiB."])
    // An asset is not read.
    let more = ["models/s/thing.json": Self.model, "content/a.pdf": String(repeating: "x", count: 5_000)]
    #expect(Self.problems(more) { $0.fileBytes = Self.model.utf8.count } == [])
  }

  @Test func `is the size of all files, and is told once`() {
    let files = [
      "models/s/thing.json": Self.model, "content/a.json": Self.fragment, "content/b.json": Self.fragment,
      "content/c.json": Self.fragment, "content/d.pdf": String(repeating: "x", count: 5_000),
    ]
    let all = Self.model.utf8.count + 3 * Self.fragment.utf8.count
    #expect(Self.problems(files) { $0.totalBytes = all } == [])
    #expect(
      Self.problems(files) { $0.totalBytes = all - 1 }
        == ["content/c.json The files have more than 0 MiB together."])
    #expect(
      Self.problems(files) { $0.totalBytes = all - 2 * Self.fragment.utf8.count }
        == ["content/b.json The files have more than 0 MiB together."])
    #expect(
      Self.problems(files) { $0.totalBytes = Self.model.utf8.count + 1 }
        == ["content/a.json The files have more than 0 MiB together."])
  }

  @Test func `is the number of problems`() {
    let files = [
      "models/s/thing.json": Self.model, "content/a.json": "1", "content/b.json": "1", "content/c.json": "1",
    ]
    for (count, found) in [(1, 1), (2, 2), (3, 3), (4, 3)] {
      #expect(Self.problems(files) { $0.problems = count }.count == found)
    }
  }

  // MARK: Disks

  /// Calls `body` with a folder that has a model, and returns what is wrong with it for some limits.
  private static func withFolder(
    _ body: (_ root: String, _ problems: ((inout ContentLimits) -> Void) -> [String]) throws -> Void
  ) throws {
    let root = try Folder.makeTemporary(beginning: "/tmp/content-")
    defer { try? Folder.remove(root) }
    try Folder.make("\(root)/models/s")
    try File.replace("\(root)/models/s/thing.json", with: Array(model.utf8))
    try body(root) { change in
      var limits = ContentLimits()
      change(&limits)
      do throws(ContentProblems) {
        _ = try ContentRepository(root: root, limits: limits)
        return []
      } catch {
        return error.problems.map { "\($0.file) \($0.message)" }
      }
    }
  }

  @Test func `is the number of files and folders, and is told once`() throws {
    try Self.withFolder { root, problems in
      // Two folders and a file.
      #expect(problems { $0.files = 3 } == [])
      #expect(problems { $0.files = 2 } == [" There are more than 2 files."])
      #expect(problems { $0.files = 1 } == [" There are more than 1 files."])
      try Folder.make("\(root)/content/dam")
      for name in ["a", "b", "c"] { try File.replace("\(root)/content/dam/\(name).pdf", with: [1]) }
      #expect(problems { $0.files = 8 } == [])
      #expect(problems { $0.files = 3 } == [" There are more than 3 files."])
    }
  }

  @Test func `is the depth of folders`() throws {
    try Self.withFolder { root, problems in
      #expect(problems { $0.depth = 2 } == [])
      #expect(problems { $0.depth = 1 } == ["models/s This folder is nested deeper than 1 folders."])
      try Folder.make("\(root)/content/a/b")
      #expect(problems { $0.depth = 3 } == [])
      #expect(problems { $0.depth = 2 } == ["content/a/b This folder is nested deeper than 2 folders."])
    }
  }

  @Test func `is what a folder may hold`() throws {
    try Self.withFolder { root, problems in
      try Folder.make("\(root)/models/.git")
      try Folder.make("\(root)/notes")
      for name in ["models/.git/x", "models/.hidden", "models/s/.thing.json", "notes/x.json", "README.md"] {
        try File.replace("\(root)/\(name)", with: Array("?".utf8))
      }
      #expect(problems { _ in } == [])
      let repository = try ContentRepository(root: root)
      #expect(repository.folders == [root, "\(root)/models", "\(root)/models/s"])
      try Folder.make("\(root)/content/new")
      #expect(
        repository.folders == [root, "\(root)/models", "\(root)/models/s", "\(root)/content", "\(root)/content/new"])
      try #require(mkfifo("\(root)/content/pipe", 0o600) == 0)
      #expect(problems { _ in } == ["content/pipe This is neither a file nor a folder."])
    }
  }
}
