import Foundation
import TestSupport
import Testing

@testable import HostCLI

/// What `host dev` compares.
@Suite(.timeLimit(.minutes(1)))
struct `The files of a project at a moment` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try write("a.swift")
    try write("in/b.py")
  }

  private func write(_ name: String, _ text: String = "one") throws {
    let parent = folder.file(name).split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "/\(parent)", withIntermediateDirectories: true)
    _ = try folder.write(text, to: name)
  }

  private func stamps() -> SourceStamps { SourceStamps(folder.path, leavingOut: ".app") }

  @Test func `are the same while nothing is saved`() throws {
    let before = stamps()
    #expect(before == stamps())
    #expect(before.folders == [folder.path, folder.file("in")])
    #expect(before.files(endingIn: [".py", ".swift"]) == [folder.file("a.swift"), folder.file("in/b.py")])
    #expect(before.files(endingIn: [".js"]) == [] && before.files(endingIn: []) == [])
  }

  @Test func `are others when a file is changed, made or removed, in any folder`() throws {
    var before = stamps()
    try write("in/b.py", "longer")
    #expect(stamps() != before)
    before = stamps()
    try write("in/deep/c.txt")
    #expect(stamps() != before)
    before = stamps()
    try FileManager.default.removeItem(atPath: folder.file("a.swift"))
    #expect(stamps() != before)
  }

  @Test(arguments: [
    ".hidden", ".git/x", "__pycache__/x", "node_modules/x/y", "in/node_modules/x", "Made.app/x", "in/file.app",
  ])
  func `leave out what is made of the sources, and what is hidden`(name: String) throws {
    let before = stamps()
    try write(name)
    #expect(stamps() == before)
    #expect(stamps().folders == before.folders)
  }

  @Test func `do not go on where a link leads`() throws {
    let before = stamps()
    try FileManager.default.createSymbolicLink(atPath: folder.file("in/up"), withDestinationPath: "..")
    #expect(stamps() != before && stamps().folders == before.folders)
    #expect(stamps().files(endingIn: [".swift"]) == [folder.file("a.swift")])
  }

  @Test func `leave out nothing by its ending where none is given`() throws {
    let before = SourceStamps(folder.path, leavingOut: nil)
    try write("Made.app/x")
    #expect(SourceStamps(folder.path, leavingOut: nil) != before)
  }

  @Test func `end 32 folders deep`() throws {
    let deepest = (1...31).map { "d\($0)" }.joined(separator: "/")
    try write("\(deepest)/x.txt")
    try write("\(deepest)/d32/y.txt")
    #expect(stamps().files(endingIn: [".txt"]) == [folder.file("\(deepest)/x.txt")])
  }

  @Test func `are nothing of a folder that is not there`() {
    let none = SourceStamps(folder.file("none"), leavingOut: nil)
    #expect(none.files(endingIn: [""]) == [] && none != stamps())
  }
}

/// The originals of what `host dev` runs copies of.
@Suite(.timeLimit(.minutes(1)))
struct `The files of an author in the environment` {
  private static func read(_ text: String?) -> [String] {
    AuthorPaths.read(text.map { [AuthorPaths.variable: $0] } ?? [:]).map { "\($0.copy)>\($0.original)" }
  }

  @Test func `are pairs of lines, and one without the other is left out`() {
    #expect(Self.read(nil) == [] && Self.read("") == [])
    #expect(Self.read("/c") == [])
    #expect(Self.read("/c\n/o") == ["/c>/o"])
    #expect(Self.read("/c\n/o\n/d") == ["/c>/o"])
    #expect(Self.read("/c\n/o\n/d\n/p\n") == ["/c>/o", "/d>/p"])
  }

  @Test func `are read as they were written, without those that are no line`() {
    #expect(AuthorPaths.text([]) == "")
    let text = AuthorPaths.text([("/c", "/o"), ("/x\ny", "/z"), ("/q", "/r\n"), ("/d e", "/p")])
    #expect(text == "/c\n/o\n/d e\n/p")
    #expect(Self.read(text) == ["/c>/o", "/d e>/p"])
  }
}
