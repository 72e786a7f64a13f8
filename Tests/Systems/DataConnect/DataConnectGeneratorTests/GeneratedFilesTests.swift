import Files
import Testing

@testable import DataConnectGenerator

/// What is written to a folder the first time and every time after it.
@Suite(.timeLimit(.minutes(1)))
struct `The files of a generation` {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = try Folder.makeTemporary(beginning: "/tmp/files-")
    defer { try? Folder.remove(folder) }
    try body("\(folder)/made/Package")
  }

  private func files(_ texts: [(String, String)]) -> [GeneratedFile] { texts.map { GeneratedFile(path: $0, text: $1) } }

  private func text(_ folder: String, _ path: String) -> String? {
    (try? File.read("\(folder)/\(path)", limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  private let list = ".dataconnect-generated"

  @Test func `are written in the order of their paths, and listed so`() throws {
    try withFolder { folder in
      let given = files([("Sources/B.swift", "b"), ("README.md", "r"), ("Sources/A.swift", ""), ("Package.swift", "p")])
      let outcome = try GeneratedPackage.write(given, to: folder)
      #expect(outcome.written == ["Package.swift", "README.md", "Sources/A.swift", "Sources/B.swift"])
      #expect(outcome.unchanged == [] && outcome.removed == [])
      #expect(text(folder, list) == "Package.swift\nREADME.md\nSources/A.swift\nSources/B.swift\n")
      for file in given { #expect(text(folder, file.path) == file.text) }
      #expect(GeneratedPackage.listName == list)
    }
  }

  @Test func `are told apart by what became of each, each time anew`() throws {
    try withFolder { folder in
      _ = try GeneratedPackage.write(files([("Sources/A.swift", "one"), ("Sources/B.swift", "b")]), to: folder)
      let second = try GeneratedPackage.write(
        files([("Sources/A.swift", "two"), ("Sources/B.swift", "b"), ("Sources/C.swift", "c")]), to: folder)
      // The same number of bytes is not the same file.
      #expect(second.written == ["Sources/A.swift", "Sources/C.swift"])
      #expect(second.unchanged == ["Sources/B.swift"] && second.removed == [])
      #expect(text(folder, "Sources/A.swift") == "two")
      let third = try GeneratedPackage.write(files([("Sources/C.swift", "c")]), to: folder)
      #expect(third.written == [] && third.unchanged == ["Sources/C.swift"])
      #expect(third.removed == ["Sources/A.swift", "Sources/B.swift"])
      #expect(text(folder, list) == "Sources/C.swift\n")
      let fourth = try GeneratedPackage.write(files([("Sources/C.swift", "c")]), to: folder)
      #expect(fourth.written == [] && fourth.unchanged == ["Sources/C.swift"] && fourth.removed == [])
    }
  }

  @Test func `are not told as removed where somebody else has removed them`() throws {
    try withFolder { folder in
      _ = try GeneratedPackage.write(files([("Sources/A.swift", "a"), ("Sources/B.swift", "b")]), to: folder)
      File.remove("\(folder)/Sources/A.swift")
      let outcome = try GeneratedPackage.write([], to: folder)
      #expect(outcome.removed == ["Sources/B.swift"] && outcome.written == [])
      #expect(text(folder, list) == "")
    }
  }

  @Test func `of a list that somebody has edited are removed only where a generation puts files`() throws {
    try withFolder { folder in
      _ = try GeneratedPackage.write(files([("Sources/A.swift", "a")]), to: folder)
      let mine = [
        "Sources/deep/A.swift", "deep/Package.swift", "notes.md", "Sources/notes.md", "Sources.swift.txt", "LICENSE",
        "Sources/README.md",
      ]
      let made = ["Other.swift", "README.md", "Sources/Old.swift"]
      for path in mine + made { try GeneratedPackage.put("x", at: path, in: folder) }
      let outside = ["../Outside.swift", "Sources/../Package.swift", "Sources//Old.swift", "/Old.swift", "..", ""]
      try GeneratedPackage.put((mine + made + outside).map { "\($0)\n" }.joined(), at: list, in: folder)
      try GeneratedPackage.put("x", at: "../Outside.swift", in: folder)
      try GeneratedPackage.put("x", at: "Package.swift", in: folder)
      let outcome = try GeneratedPackage.write(files([("Sources/A.swift", "a")]), to: folder)
      #expect(outcome.removed == made)
      for path in mine + ["../Outside.swift", "Package.swift", "Sources/A.swift"] {
        #expect(text(folder, path) != nil, "\(path)")
      }
      for path in made { #expect(text(folder, path) == nil, "\(path)") }
    }
  }

  @Test func `are put whole, and say whether they were`() throws {
    try withFolder { folder in
      #expect(try GeneratedPackage.put("é", at: "a/b/c.txt", in: folder))
      #expect(try !GeneratedPackage.put("é", at: "a/b/c.txt", in: folder))
      #expect(try GeneratedPackage.put("éa", at: "a/b/c.txt", in: folder))
      #expect(try GeneratedPackage.put("", at: "a/b/c.txt", in: folder))
      #expect(try !GeneratedPackage.put("", at: "a/b/c.txt", in: folder))
      #expect(text(folder, "a/b/c.txt") == "")
      let file = try #require(FileStatus("\(folder)/a/b/c.txt"))
      #expect(file.kind == .regular && file.mode & 0o600 == 0o600 && file.mode & 0o111 == 0)
      for path in ["", "/a", "/a/b"] {
        let status = try #require(FileStatus(folder + path))
        #expect(status.kind == .directory && status.mode & 0o700 == 0o700)
        // Who may read files may enter folders, as the umask has it for both.
        #expect((status.mode & 0o044 == file.mode & 0o044) && status.mode & 0o011 == (status.mode & 0o044) >> 2)
      }
    }
  }
}

/// How a generated package finds the one that it needs.
@Suite(.timeLimit(.minutes(1)))
struct `The dependency of a generated package` {
  @Test(
    arguments: [
      ("../../annex", nil, #".package(path: "../../annex")"#, "annex"),
      ("/opt/annex/", nil, #".package(path: "/opt/annex/")"#, "annex"),
      ("annex", nil, #".package(path: "annex")"#, "annex"),
      ("/", nil, #".package(path: "/")"#, "/"), ("", nil, #".package(path: "")"#, ""),
      ("..", "annex", #".package(name: "annex", path: "..")"#, "annex"),
      (#"/a"b"#, #"c"d"#, #".package(name: "c\"d", path: "/a\"b")"#, #"c"d"#),
    ] as [(String, String?, String, String)])
  func `is a folder`(path: String, name: String?, dependency: String, expected: String) {
    let options = GenerationOptions(dependencyPath: path, dependencyName: name)
    #expect(options.dependency == dependency && options.dependencyName == expected)
  }

  @Test func `is a repository`() {
    let options = GenerationOptions(dependencyURL: "https://example.com/annex.git", dependencyName: "annex")
    #expect(options.dependency == #".package(url: "https://example.com/annex.git", branch: "main")"#)
    #expect(options.dependencyName == "annex")
  }
}
