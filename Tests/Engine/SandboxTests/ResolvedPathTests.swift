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

  @Test func `may be the root`() {
    #expect(ResolvedPath("/")?.path == "/")
    #expect(ResolvedPath("/..")?.path == "/")
  }

  @Test(arguments: [
    ("/a/b", "/a", true), ("/a", "/a", true), ("/ab", "/a", false), ("/a", "/a/b", false), ("/x", "/", true),
  ])
  func `lies below a directory by whole names`(path: String, directory: String, isBelow: Bool) {
    #expect(path.isBelowOrEqual(directory) == isBelow)
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
