import Cryptography
import Files
import Foundation
import TestSupport
import Testing

@testable import BundleSeals

/// What a seal looks at before it reads any content.
@Suite(.timeLimit(.minutes(2))) struct `The names of a sealed bundle` {
  private let folder: TemporaryDirectory
  private var root: String { folder.file("X.app") }
  private var tree: SealedTree { SealedTree(root, leavingOut: BundleSeal.folder) }

  init() throws {
    folder = try TemporaryDirectory()
    try Folder.make(folder.file("X.app"))
  }

  private func shell(_ line: String) -> Int32 { Process.shell("cd '\(root)' && \(line)") }

  @Test func `are twenty thousand at most, the bundle's own among them`() {
    #expect(shell("seq 19999 | xargs touch") == 0)
    let whole = tree
    #expect(whole.refused.isEmpty && whole.shapes.count == 20_000)
    #expect(shell("touch one") == 0)
    let more = tree
    #expect(more.refused.map(\.path) == ["one"] && more.shapes.count == 20_000)
  }

  @Test func `have four GiB together at most`() {
    #expect(shell("truncate -s 2147483648 a b") == 0)
    #expect(tree.refused.isEmpty)
    #expect(shell("truncate -s 1 c") == 0)
    #expect(tree.refused.map(\.path) == ["c"])
    #expect(shell("rm a b && truncate -s 4294967297 c") == 0)
    #expect(tree.refused.map(\.path) == ["c"])
  }

  @Test func `have paths of 1024 bytes at most`() throws {
    let long = [String](repeating: String(repeating: "é", count: 127), count: 4).joined(separator: "/")
    try Folder.make("\(root)/\(long)")
    // Four times 254 bytes and three slashes are 1019.
    try File.replace("\(root)/\(long)/abcd", with: [])
    let whole = tree
    #expect(whole.refused.isEmpty && whole.shapes.count == 6)
    try File.replace("\(root)/\(long)/abcde", with: [])
    #expect(tree.refused.map(\.path) == ["\(long)/abcde"])
  }

  @Test func `have links of 1024 bytes of plain text at most`() {
    let longest = String(repeating: "é", count: 512)
    for (text, isPlain) in [
      (longest, true), (longest + "a", false), ("a b", true), ("a\u{1}b", false), ("a\u{7F}b", false),
      ("a\u{FFFD}b", false),
    ] {
      #expect(symlink(text, "\(root)/link") == 0)
      let found = tree
      let link: SealedTree.Shape? = isPlain ? .link(target: text) : nil
      #expect(found.shapes["link"] == link, "\(text.debugDescription)")
      #expect(found.refused.map(\.path) == (isPlain ? [] : ["link"]), "\(text.debugDescription)")
      File.remove("\(root)/link")
    }
    #expect(shell("ln -s \"$(printf 'a\\377b')\" link") == 0)
    #expect(tree.refused.map(\.path) == ["link"])
  }

  @Test(arguments: ["4755", "2755", "1755"]) func `give nobody the rights of another`(mode: String) {
    #expect(shell("touch x && chmod \(mode) x") == 0)
    #expect(tree.refused.map(\.path) == ["x"])
    #expect(shell("chmod 755 x") == 0 && tree.refused.isEmpty)
  }

  @Test func `are refused a hundred times at most`() {
    #expect(shell("seq -f 'pipe%g' 101 | xargs mkfifo") == 0)
    let pipes = tree
    #expect(pipes.refused.count == 100 && pipes.shapes.count == 1)
  }
}

/// Files are read in pieces of 256 KiB.
@Suite(.timeLimit(.minutes(1))) struct `The content of a sealed file` {
  @Test(arguments: [(1 << 18) - 1, 1 << 18, (1 << 18) + 1, (3 << 18) + 7])
  func `is read in pieces to its end, and copied so`(count: Int) throws {
    let folder = try TemporaryDirectory()
    let (place, copy) = (folder.file("file"), folder.file("copy"))
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try File.replace(place, with: bytes)
    let descriptor = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(descriptor >= 0)
    defer { close(descriptor) }
    let digest = try SealedFile.digest(of: place, named: "file", size: Int64(count), copy: descriptor)
    #expect(digest == SHA256.digest(of: bytes))
    #expect(try File.read(copy, limit: 1 << 20) == bytes)
    for size in [count - 1, count + 1] {
      #expect(throws: SealFault.self) { try SealedFile.digest(of: place, named: "file", size: Int64(size)) }
    }
  }
}
