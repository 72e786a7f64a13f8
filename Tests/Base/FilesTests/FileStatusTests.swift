import Foundation
import Testing

@testable import Files

@Suite(.timeLimit(.minutes(1)))
struct `The status of a file` {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(
    arguments: [
      (0o4700, true, false, true), (0o2700, true, false, true), (0o1700, false, false, true),
      (0o620, false, true, false), (0o602, false, true, false), (0o644, false, false, false),
      (0o610, false, false, true), (0o601, false, false, true),
    ] as [(UInt32, Bool, Bool, Bool)])
  func `tells what a mode allows`(mode: UInt32, isSetID: Bool, isWritable: Bool, isExecutable: Bool) throws {
    let path = try folder.write("a", "text")
    try File.setMode(path, mode)
    let status = try #require(FileStatus(path))
    #expect(status.mode & 0o7777 == mode && status.size == 4 && status.owner == geteuid())
    #expect(status.isSetID == isSetID && status.isWritableByOthers == isWritable)
    #expect(status.isExecutable == isExecutable)
  }

  @Test func `tells what kind of thing a path is`() throws {
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(FileStatus("/dev/null")?.kind == .characterDevice && FileStatus(pipe)?.kind == .other)
    #expect(FileStatus(folder.path)?.kind == .directory && FileStatus("\(folder.path)/none") == nil)
    #expect(!Folder.isFolder(pipe) && !Folder.isFolder("\(folder.path)/none"))
  }

  @Test func `is of the same file behind a link, and of another after it was replaced`() throws {
    let path = try folder.write("a", "text")
    let link = "\(folder.path)/link"
    #expect(symlink(path, link) == 0)
    let identity = try #require(FileIdentity(path: path))
    #expect(FileIdentity(path: link) == identity && FileStamp(link) == FileStamp(path))
    let kept = "\(folder.path)/kept"
    #expect(Glibc.link(path, kept) == 0)
    try File.replace(path, with: Array("text".utf8))
    #expect(FileIdentity(path: path) != identity && FileIdentity(path: kept) == identity)
    #expect(FileIdentity(path: "\(folder.path)/none") == nil && FileStamp("\(folder.path)/none") == nil)
  }

  @Test func `changes with the size of a file`() throws {
    let path = try folder.write("a", "text")
    let before = try #require(FileStamp(path))
    #expect(FileStamp(path) == before && FileStamp(path)?.text == before.text)
    #expect(truncate(path, 3) == 0)
    #expect(FileStamp(path) != before && FileStamp(path)?.text != before.text)
  }

  /// Whoever writes a file can set its time back.
  @Test func `changes with whatever is done to a file, also where its size and its time stay`() async throws {
    let path = try folder.write("a", "text")
    let (before, status) = (try #require(FileStamp(path)), try #require(FileStatus(path)))
    // The clock of a file system goes on in steps.
    while FileStamp(path) == before, !Task.isCancelled {
      for mode in [0o640, 0o600] as [UInt32] { try File.setMode(path, mode) }
      await Task.yield()
    }
    #expect(FileStamp(path) != before && FileStamp(path)?.text != before.text)
    #expect(FileStatus(path)?.size == status.size && FileStatus(path)?.modified == status.modified)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A file that is new` {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `takes no other's place`() throws {
    let path = "\(folder.path)/a"
    try File.writeNew([1, 2], to: path)
    let error = #expect(throws: FileError.self) { try File.writeNew([3], to: path) }
    #expect(error?.kind == .system(SystemError(EEXIST)))
    #expect(try File.read(path, limit: 2) == [1, 2])
    let link = "\(folder.path)/link"
    #expect(symlink("\(folder.path)/none", link) == 0)
    #expect(throws: FileError.self) { try File.writeNew([3], to: link) }
    #expect(Folder.names(in: folder.path).sorted() == ["a", "link"])
  }

  @Test func `is its owner's alone, wherever it begins`() throws {
    let path = try folder.write("a", "old")
    let other = "\(folder.path)/other"
    try Folder.make(other)
    try File.replace(path, with: [1], beginning: "\(other)/b")
    #expect(try File.read(path, limit: 1) == [1])
    #expect(Folder.names(in: other).isEmpty)
    let new = try File.create(beginning: "\(other)/c")
    #expect(close(new.descriptor) == 0)
    #expect(FileStatus(new.path)?.mode == S_IFREG | 0o600)
    File.remove(new.path)
    #expect(Folder.names(in: other).isEmpty)
  }

  @Test func `is read up to its limit, and not at all without one`() throws {
    let path = try folder.write("a", "0123")
    #expect(File.prefix(of: path, limit: 0) == nil && File.prefix(of: path, limit: 1) == [0x30])
    #expect(File.prefix(of: path, limit: 4) == Array("0123".utf8))
    #expect(File.prefix(of: path, limit: 5) == Array("0123".utf8))
    #expect(File.prefix(of: "\(folder.path)/none", limit: 1) == nil)
  }

  @Test func `tells how to go on when the disk is full or read-only`() {
    func recovery(_ number: Int32) -> String? { FileError.cannot("write", "/a/é", SystemError(number)).recovery }
    let full = "The disk is full: \"df -h '/a'\" shows it. Free space there and try again."
    #expect(recovery(ENOSPC) == full && recovery(EDQUOT) == full)
    #expect(recovery(EROFS) == "The disk is read-only: name another place." && recovery(EACCES) == nil)
  }

  @Test func `that is built in ends with a line end, unless it is empty`() {
    #expect(EmbeddedFile(path: "a", literal: "").text == "" && EmbeddedFile(path: "a", literal: "b").text == "b\n")
  }

  @Test func `lies in a folder that only its owner can open, each time another`() throws {
    let beginning = "\(folder.path)/é-"
    let folders = try (0..<2).map { _ in try Folder.makeTemporary(beginning: beginning) }
    #expect(folders[0] != folders[1])
    for path in folders {
      #expect(path.hasPrefix(beginning) && path.utf8.count == beginning.utf8.count + 6)
      #expect(FileStatus(path)?.mode == S_IFDIR | 0o700)
    }
    #expect(Folder.parent(of: "/é/ü") == "/é" && Folder.parent(of: "") == "." && Folder.name(of: "/") == "/")
    #expect(Folder.name(of: "/é/ü") == "ü")
  }
}
