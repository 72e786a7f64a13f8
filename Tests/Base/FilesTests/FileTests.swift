import Foundation
import Testing

@testable import Files
import Time

/// A folder that is gone with its test.
final class TestFolder: Sendable {
  let path: String

  init() throws { path = try Folder.makeTemporary(beginning: "\(NSTemporaryDirectory())/files-") }

  deinit { try? Folder.remove(path) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A file` {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: ["", "a", String(repeating: "x", count: 100_000)])
  func `is read whole`(text: String) throws {
    let path = try folder.write("a", text)
    #expect(try File.read(path, limit: 100_000) == Array(text.utf8))
  }

  @Test func `over the limit is refused`() throws {
    let path = try folder.write("a", "four")
    let error = #expect(throws: FileError.self) { try File.read(path, limit: 3) }
    #expect(error?.kind == .tooLarge)
    #expect(try File.read(path, limit: 4).count == 4)
  }

  @Test func `that is not there says so`() {
    let error = #expect(throws: FileError.self) { try File.read("\(folder.path)/none", limit: 10) }
    #expect(error?.kind == .system(SystemError(ENOENT)))
    #expect(error?.message == "The file cannot be opened: No such file or directory.")
  }

  @Test func `is never a pipe, a folder or a device`() throws {
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "/dev/zero"] {
      let error = #expect(throws: FileError.self) { try File.read(path, limit: 10) }
      #expect(error?.kind == .notRegular, "\(path)")
      #expect(File.prefix(of: path, limit: 10) == nil, "\(path)")
    }
  }

  @Test func `behind a link is read only where that is allowed`() throws {
    let path = try folder.write("a", "text")
    let link = "\(folder.path)/link"
    #expect(symlink(path, link) == 0)
    #expect(try File.read(link, limit: 10) == Array("text".utf8))
    let error = #expect(throws: FileError.self) { try File.read(link, limit: 10, followsLink: false) }
    #expect(error?.kind == .system(SystemError(ELOOP)))
    #expect(File.linkTarget(of: link) == path)
    #expect(File.linkTarget(of: path) == nil)
    #expect(File.resolved("\(folder.path)/./link") == File.resolved(path))
    #expect(FileStatus(link)?.kind == .link)
    #expect(FileStatus(link, followsLink: true)?.kind == .regular)
  }

  @Test func `that is private is refused when others may get at it`() throws {
    let path = try File.write([1, 2], beginning: "\(folder.path)/a")
    #expect(try File.readPrivate(path, limit: 2) == [1, 2])
    #expect(try File.readPrivate("\(folder.path)/none", limit: 2) == nil)
    #expect(throws: FileError.self) { try File.readPrivate(path, limit: 1) }
    let link = "\(folder.path)/link"
    #expect(symlink(path, link) == 0)
    #expect(throws: FileError.self) { try File.readPrivate(link, limit: 2) }
    #expect(try File.readPrivate(link, limit: 2, followsLink: true) == [1, 2])
    for mode in [0o640, 0o620, 0o610, 0o604, 0o602, 0o601] as [mode_t] {
      #expect(chmod(path, mode) == 0)
      let error = #expect(throws: FileError.self) { try File.readPrivate(path, limit: 2) }
      #expect(error?.kind == .notPrivate && error?.recovery == "Set its mode to 600.")
      let shown = "Other users may read or change \(path): its mode is \(String(mode, radix: 8))."
      #expect(error?.message == shown)
    }
  }

  @Test(.enabled("only root gives files to others", { geteuid() == 0 }))
  func `that is private is refused when it is another user's`() throws {
    let owner: File.Owner = (user: 4_000_007, group: 4_000_008)
    let path = try File.write([1, 2], beginning: "\(folder.path)/a", owner: owner)
    #expect(FileStatus(path)?.owner == owner.user && FileStatus(path)?.group == owner.group)
    let link = "\(folder.path)/link"
    #expect(symlink(path, link) == 0)
    for (place, followsLink) in [(path, false), (link, true)] {
      let error = #expect(throws: FileError.self) { try File.readPrivate(place, limit: 2, followsLink: followsLink) }
      #expect(error?.kind == .notPrivate && error?.message == "\(place) belongs to another user.")
    }
  }

  @Test func `is read in parts, those of the kernel too`() throws {
    let path = try folder.write("a", "0123456789")
    #expect(File.prefix(of: path, limit: 4) == Array("0123".utf8))
    #expect(File.prefix(of: path, limit: 4, from: 8) == Array("89".utf8))
    #expect(File.prefix(of: path, limit: 4, from: 20) == [])
    #expect(File.prefix(of: path, limit: 4, from: -1) == nil)
    #expect(File.prefix(of: path, limit: 0) == nil && File.prefix(of: path, limit: -1) == nil)
    #expect(File.prefix(of: path, limit: 1, from: 9) == Array("9".utf8))
    #expect(File.prefix(of: path, limit: 1, from: 10) == [])
    #expect(File.prefix(of: "/proc/self/stat", limit: 4096)?.isEmpty == false)
  }

  @Test func `is replaced whole, by one that only its owner can read`() throws {
    let path = try folder.write("a", "old")
    let before = try #require(FileStamp(path))
    for isDurable in [false, true] {
      try File.replace(path, with: Array("new \(isDurable)".utf8), isDurable: isDurable)
      #expect(try File.read(path, limit: 100) == Array("new \(isDurable)".utf8))
      #expect(FileStatus(path).map { $0.mode & 0o777 } == 0o600)
    }
    #expect(FileStamp(path) != before)
    #expect(Folder.names(in: folder.path) == ["a"])
  }

  @Test func `takes the place of a link, and leaves alone what that leads to`() throws {
    let other = try folder.write("other", "other")
    let path = "\(folder.path)/a"
    #expect(symlink(other, path) == 0)
    try File.replace(path, with: Array("new".utf8))
    #expect(try File.read(other, limit: 100) == Array("other".utf8))
    #expect(FileStatus(path)?.kind == .regular)
  }

  @Test func `that cannot be replaced stays, and nothing is left beside it`() throws {
    let inner = "\(folder.path)/a"
    try Folder.make("\(inner)/b")
    let error = #expect(throws: FileError.self) { try File.replace(inner, with: [1]) }
    #expect(error?.message.hasPrefix("Cannot write \(inner): ") == true)
    #expect(Folder.names(in: folder.path) == ["a"])
    #expect(throws: FileError.self) { try File.replace("\(folder.path)/none/a", with: [1]) }
  }

  @Test func `that is new has a name of its own`() throws {
    let paths = try (0..<20).map { _ in try File.write([1, 2], beginning: "\(folder.path)/a") }
    #expect(Set(paths).count == 20)
    for path in paths { #expect(path.hasPrefix("\(folder.path)/a.")) }
  }

  @Test func `is set aside under names that sort by time`() throws {
    var kept: [String] = []
    for number in 0..<5 {
      let path = try folder.write("a", "\(number)")
      kept.append(try #require(File.setAside(path, as: "damaged", at: UnixTime.now.fileStamp)))
    }
    #expect(kept == kept.sorted() && Set(kept).count == 5)
    for (number, path) in kept.enumerated() {
      #expect(path.hasPrefix("\(folder.path)/a.damaged-20"))
      #expect(try File.read(path, limit: 10) == Array("\(number)".utf8))
    }
    #expect(File.setAside("\(folder.path)/a", as: "damaged", at: UnixTime.now.fileStamp) == nil)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A folder` {
  @Test func `is made with those above it, and may be there`() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/a/b/c"
    for _ in 0..<2 { try Folder.make(path) }
    #expect(Folder.isFolder(path))
    #expect(FileStatus(path).map { $0.mode & 0o777 } == 0o700)
    let file = try folder.write("file", "")
    #expect(throws: FileError(.notRegular, "\(file) is not a folder.")) { try Folder.make(file) }
    #expect(throws: FileError.self) { try Folder.make("\(file)/a") }
    try Folder.remove("\(folder.path)/a")
    try Folder.remove("\(folder.path)/a")
    #expect(Folder.names(in: folder.path) == ["file"])
  }

  @Test func `lists what ends in a suffix and is not hidden, in order`() throws {
    let folder = try TestFolder()
    for name in ["b.json", "a.json", ".c.json", ".\u{301}c.json", "d"] { _ = try folder.write(name, "") }
    #expect(Folder.names(in: folder.path, endingIn: ".json") == ["a.json", "b.json"])
    #expect(Folder.names(in: "\(folder.path)/none").isEmpty)
  }

  @Test(arguments: [("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("/a/b/", "/a/b", "b")])
  func `is part of a path`(path: String, parent: String, name: String) {
    #expect(Folder.parent(of: path) == parent)
    #expect(Folder.name(of: path) == name)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An error of the system` {
  @Test func `is told in words`() {
    #expect("\(SystemError(EACCES))" == "Permission denied")
    #expect(SystemError(4711).description.contains("4711"))
    #expect("\(FileError.cannot("read", "/x", SystemError(EIO)))" == "Cannot read /x: Input/output error.")
  }
}
