import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A resolved path` {
  @Test func `names every link on its way`() throws {
    let directory = TemporaryDirectory()
    let root = directory.path
    directory.directory("real")
    directory.file("real/file", [1])
    directory.link("near", to: "real")
    directory.link("far", to: root + "/near/../near/file")
    let resolved = try #require(ResolvedPath(root + "/far"))
    #expect(resolved.path == root + "/real/file")
    #expect(resolved.links.map(\.path) == [root + "/far", root + "/near", root + "/near"])
  }

  @Test func `does not exist for what goes round or nowhere`() {
    let directory = TemporaryDirectory()
    directory.link("round", to: "round")
    directory.link("nowhere", to: "missing")
    for name in ["round", "nowhere", "missing", "missing/.."] {
      #expect(ResolvedPath(directory.path + "/" + name) == nil)
    }
    #expect(ResolvedPath("relative") == nil)
    #expect(ResolvedPath("") == nil)
  }

  @Test func `follows what a link leads to, part by part, as the system does`() throws {
    let directory = TemporaryDirectory()
    let root = try #require(ResolvedPath(directory.path)).path
    directory.directory("real")
    directory.directory("real/inner")
    directory.link("in", to: "real/inner")
    directory.link("real/inner/up", to: "..")
    for (path, real, links) in [
      ("in/up", "real", ["in", "real/inner/up"]), ("in/..", "real", ["in"]), ("./real//inner/", "real/inner", []),
      ("in/up/inner/up/../in", "real/inner", ["in", "real/inner/up", "real/inner/up", "in"]),
      ("real/inner/../../real", "real", []),
    ] {
      let resolved = try #require(ResolvedPath("\(root)/\(path)"))
      #expect(resolved.path == "\(root)/\(real)", "\(path)")
      #expect(resolved.links.map(\.path) == links.map { "\(root)/\($0)" }, "\(path)")
    }
  }

  @Test func `has 40 links and 1,024 parts at most`() throws {
    let directory = TemporaryDirectory()
    let root = try #require(ResolvedPath(directory.path)).path
    directory.file("link0", [1])
    for number in 1...41 { directory.link("link\(number)", to: "link\(number - 1)") }
    #expect(ResolvedPath("\(root)/link40")?.links.count == 40 && ResolvedPath("\(root)/link41") == nil)
    directory.directory("d")
    directory.link("here", to: ".")
    let start = root.split(separator: "/").count + 1
    let parts = (0..<1_024 - start).map { $0 % 2 == 0 ? "d" : ".." }
    let most = ([root, "here"] + parts).joined(separator: "/")
    #expect(ResolvedPath(most) != nil && ResolvedPath(most + (parts.last == "d" ? "/.." : "/d")) == nil)
  }

  @Test(arguments: [
    ("/", true), ("/a", true), ("/a/b", true), ("/...", true), ("/.a/b..", true), ("", false), ("a", false),
    ("//", false), ("/a/", false), ("/a//b", false), ("/.", false), ("/..", false), ("/./a", false), ("/../a", false),
    ("/a/.", false), ("/a/..", false), ("/a\0", false),
  ])
  func `is plain without empty parts, dots and zero bytes`(path: String, isPlain: Bool) {
    #expect(path.isPlainAbsolutePath == isPlain)
  }

  @Test func `may be the root`() {
    #expect(ResolvedPath("/")?.path == "/")
    #expect(ResolvedPath("/..")?.path == "/")
  }

  @Test(
    arguments: [
      ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"), ("../usr/share/zoneinfo/UTC", "UTC"),
      ("/usr/share/zoneinfo/", nil), ("/somewhere/else", nil), ("", nil),
    ] as [(String, String?)])
  func `tells the time zone`(target: String, name: String?) {
    #expect(TimeZoneName.name(inTarget: target) == name)
  }
}
