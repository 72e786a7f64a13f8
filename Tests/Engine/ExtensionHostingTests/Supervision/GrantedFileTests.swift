import ExtensionProtocol
import Files
import Glibc
import TestSupport
import Testing

@testable import ExtensionHosting

/// What an extension is given in its scratch folder, and what is taken from there.
@Suite(.timeLimit(.minutes(1))) struct `A file in a scratch folder` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ name: String, _ bytes: [UInt8] = [1, 2, 3]) throws {
    try File.replace("\(folder.path)/\(name)", with: bytes)
  }

  private func read(_ path: String, limit: Int = 100) throws(ExtensionError) -> [UInt8] {
    try GrantedFile.read(path, limit: limit, in: folder.path, as: nil, from: "Clock")
  }

  private func refusal(_ path: String, limit: Int = 100) -> ExtensionError? {
    do throws(ExtensionError) { _ = try read(path, limit: limit) } catch { return error }
    return nil
  }

  @Test(
    arguments: [
      ("photo-1", "photo-1."), ("a b/ü.txt", "a_b___txt."), ("../x", "___x."), ("", "."), ("e\u{301}\r\n_", "___."),
      (String(repeating: "a", count: 65), String(repeating: "a", count: 64) + "."),
    ])
  func `has a name of plain letters, and is another each time`(name: String, beginning: String) throws {
    let names = try (0..<2).map { number in
      try GrantedFile.write([UInt8(number)], name: name, in: folder.path, owner: nil)
    }
    for (number, name) in names.enumerated() {
      #expect(name.hasPrefix(beginning) && !name.dropFirst(beginning.count).contains("."), "\(name)")
      #expect(try read(name) == [UInt8(number)])
    }
    #expect(Set(Folder.names(in: folder.path)) == Set(names) && Set(names).count == 2)
  }

  @Test func `is taken whole up to a limit`() throws {
    try write("data")
    try write("empty", [])
    #expect(try read("data", limit: 3) == [1, 2, 3] && read("./data") == [1, 2, 3])
    #expect(try read("empty", limit: 0) == [])
    let large = try #require(refusal("data", limit: 2))
    #expect(large.code == .limitExceeded && large.message == "“data” of Clock has 3 bytes; at most 2 are taken.")
    #expect(large.details == ["path": "data", "limit": 2])
  }

  @Test func `is taken from below the folder, and from nowhere else`() throws {
    try Folder.make("\(folder.path)/a/b")
    try write("a/b/data")
    #expect(try read("a/b/data") == [1, 2, 3])
    for path in ["", "/etc/passwd", "\(folder.path)/a/b/data", "..", "../x", "a/../a/b/data", "a/..", "a\0"] {
      let error = try #require(refusal(path))
      #expect(error.code == .invalidParams && error.details["path"] == .string(path))
      #expect(error.message.hasSuffix(", which is not a path below its scratch directory."), "\(error.message)")
      #expect(error.recovery == "Name a regular file below the scratch directory, by its relative path.")
    }
    try write("a/..data")
    #expect(try read("a/..data") == [1, 2, 3])
  }

  @Test func `is neither a folder nor behind a link, and may be missing`() throws {
    try write("data")
    try Folder.make("\(folder.path)/a")
    #expect(symlink("data", "\(folder.path)/link") == 0 && symlink(".", "\(folder.path)/here") == 0)
    #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    for path in ["a", "pipe"] {
      #expect(refusal(path)?.message == "“\(path)” of Clock is not a regular file.")
      #expect(refusal(path)?.details["missing"] == nil)
    }
    for path in ["link", "here/data"] {
      #expect(refusal(path)?.message.hasPrefix("“\(path)” of Clock cannot be opened: ") == true)
      #expect(refusal(path)?.code == .invalidParams && refusal(path)?.details["missing"] == nil)
    }
    #expect(refusal("none")?.details["missing"] == true && refusal("a/none")?.details["missing"] == true)
  }

  @Test func `is shown by the beginning of its name, without what a terminal does`() {
    let name = String(repeating: "é", count: 100) + "\u{1B}"
    #expect(refusal("/\(name)")?.message.contains("named “/\(String(repeating: "é", count: 99))\u{FFFD}”") == true)
    #expect(refusal("\u{1B}[2J")?.message.hasPrefix("“\\u{1b}[2J” of Clock cannot be opened: ") == true)
  }
}
