import DataConnectCompiler
import DataConnectGenerator
import Files
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A generated package` {
  @Test func `is the one that was looked at`() throws {
    let files = try Project.compile(Project.listMovies).files
    #expect(
      files.map(\.path) == [
        "Package.swift", "README.md", "Sources/MoviesClient.swift", "Sources/MoviesKeys.swift",
        "Sources/MoviesOperations.swift",
      ])
    for file in files {
      let name = "\(Folder.name(of: file.path)).txt"
      if let folder = Environment.goldens {
        try File.replace("\(folder)/\(name)", with: Array(file.text.utf8))
        continue
      }
      #expect(try file.text == Project.golden(name), "\(file.path)")
    }
  }

  @Test func `is the same every time`() throws {
    #expect(try Project.compile(Project.listMovies).files == Project.compile(Project.listMovies).files)
  }

  @Test func `lies where the configuration says`() throws {
    #expect(try Project.compile("").folder.hasSuffix("/connector/../gen/Movies"))
  }

  @Test(arguments: [("friendly-flix", "FriendlyFlix"), ("default", "Default"), ("my-2nd-one", "My2ndOne")])
  func `is named after the connector`(id: String, name: String) throws {
    let generator = try Project.compile("", id: id)
    #expect(generator.files.map(\.path).contains("Sources/\(name)Client.swift"))
    #expect(try Project.text("Client", of: generator).contains("public final class \(name)Connector: Sendable {"))
  }

  @Test func `imports what it uses, in every file`() throws {
    for file in try Project.compile(Project.listMovies).files where file.path.hasPrefix("Sources/") {
      #expect(file.text.contains("import DataConnect\n") && file.text.contains("import FoundationEssentials\n"))
      #expect(!file.text.contains("Firebase"))
    }
  }

  @Test(arguments: [
    Example(Project.listMovies), Example(Project.listMovies, sdk: ["clientCache: {maxAge: 5m, maxSize: 1000000}"]),
    Example.kinds,
    Example(Repetition.operations, schema: Repetition.schema), Example.long,
  ])
  func `is formatted as this project is`(example: Example) throws {
    let folder = try Folder.makeTemporary(beginning: "/tmp/formatted-")
    defer { try? Folder.remove(folder) }
    let generator = try Project.compile(example.operations, schema: example.schema, sdk: example.sdk)
    _ = try GeneratedPackage.write(generator.files, to: folder)
    let (text, status) = try ShellCommand.output(
      of: "swift format lint --strict --configuration '\(SwiftCheck.root)/.swift-format' -r '\(folder)' 2>&1")
    // Names and cases are those of the schema.
    let lines = text.split(separator: "\n").filter { !$0.contains("[AlwaysUseLowerCamelCase]") }
    #expect(status == 0 || !text.isEmpty)
    #expect(lines == [])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The folder of a generated package` {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = try Folder.makeTemporary(beginning: "/tmp/package-")
    defer { try? Folder.remove(folder) }
    try body("\(folder)/Movies")
  }

  @Test func `is left alone when nothing has changed`() throws {
    try withFolder { folder in
      let files = try Project.compile(Project.listMovies).files
      let first = try GeneratedPackage.write(files, to: folder)
      #expect(first.written == files.map(\.path) && first.unchanged == [] && first.removed == [])
      let stamps = files.map { FileStamp("\(folder)/\($0.path)") }
      let second = try GeneratedPackage.write(files, to: folder)
      #expect(second.written == [] && second.unchanged == files.map(\.path))
      #expect(files.map { FileStamp("\(folder)/\($0.path)") } == stamps)
      #expect(FileStatus("\(folder)/Package.swift").map { $0.mode & 0o600 } == 0o600)
      #expect(FileStatus("\(folder)/Sources").map { $0.mode & 0o700 } == 0o700)
      // One that was changed by hand is made anew.
      try File.replace("\(folder)/README.md", with: Array("mine".utf8))
      #expect(try GeneratedPackage.write(files, to: folder).written == ["README.md"])
    }
  }

  @Test func `loses what is no longer generated, and nothing else`() throws {
    try withFolder { folder in
      _ = try GeneratedPackage.write(try Project.compile("", id: "old").files, to: folder)
      try File.replace("\(folder)/Sources/Mine.swift", with: [])
      try File.replace("\(folder)/../Outside.swift", with: [])
      let list = try File.read("\(folder)/.dataconnect-generated", limit: 4096)
      try File.replace("\(folder)/.dataconnect-generated", with: list + Array("../Outside.swift\n/etc/x.swift\n".utf8))
      let outcome = try GeneratedPackage.write(try Project.compile("", id: "new").files, to: folder)
      #expect(
        outcome.removed == ["Sources/OldClient.swift", "Sources/OldKeys.swift", "Sources/OldOperations.swift"])
      #expect(FileStatus("\(folder)/Sources/Mine.swift") != nil && FileStatus("\(folder)/../Outside.swift") != nil)
      #expect(FileStatus("\(folder)/Sources/OldKeys.swift") == nil)
    }
  }
}
