import Files
import Glibc
import GraphQL
import Testing

@testable import DataConnectCompiler

/// A folder with files, which is gone with it.
private final class SourceFolder: Sendable {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    path = try Folder.makeTemporary(beginning: "/tmp/data-connect-sources-")
    for (name, text) in files { try write(Array(text.utf8), name) }
  }

  deinit { try? Folder.remove(path) }

  func write(_ bytes: [UInt8], _ name: String) throws {
    try Folder.make(Folder.parent(of: "\(path)/\(name)"))
    try File.writeNew(bytes, to: "\(path)/\(name)")
  }

  func link(_ target: String, _ name: String) { #expect(symlink(target, "\(path)/\(name)") == 0) }

  /// The names of the sources and the problems, without the folder's name.
  func read() -> (names: [String], lines: [String]) {
    var problems: [CompilerProblem] = []
    let sources = SourceDiscovery.read(path, into: &problems)
    return (sources.map { short($0.name) }, problems.map { short($0.description) })
  }

  func short(_ line: String) -> String {
    line.hasPrefix(path + "/") ? String(line.dropFirst(path.count + 1)) : line
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The sources of a project` {
  @Test func `are found below the folder, in the order of their names`() throws {
    let folder = try SourceFolder([
      "b.gql": "b", "a/z.graphql": "z", "Z.gql": "Z", "ä.gql": "ä", "a.gql": "a", "a.graphqls": "", "gql": "",
      "a.GQL": "", ".c.gql": "", ".d/e.gql": "", "a/.f.gql": "", "a.gql.txt": "",
    ])
    let found = folder.read()
    #expect(found.names == ["Z.gql", "a.gql", "a/z.graphql", "b.gql", "ä.gql"])
    #expect(found.lines == [])
    var problems: [CompilerProblem] = []
    let texts = SourceDiscovery.read(folder.path, into: &problems).map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(texts == ["Z", "a", "z", "b", "ä"])
  }

  @Test func `may be links to files, but not to folders or to nothing`() throws {
    let folder = try SourceFolder(["a.gql": "a", "more/b.gql": "b", "text": "c", "text.txt": "d"])
    folder.link("text", "c.gql")
    folder.link("a.gql", "d.txt")
    folder.link("more", "folder.gql")
    folder.link("more", "other")
    folder.link("nothing", "gone.gql")
    folder.link("loop.gql", "loop.gql")
    #expect(folder.read().names == ["a.gql", "c.gql", "more/b.gql"])
    #expect(folder.read().lines == [])
  }

  @Test func `are looked for sixteen folders deep`() throws {
    let way = Array(repeating: "d", count: 16).joined(separator: "/")
    let folder = try SourceFolder(["\(way)/a.gql": "", "\(way)/d/b.gql": ""])
    #expect(folder.read().names == ["\(way)/a.gql"])
  }

  @Test func `are five thousand files at most`() throws {
    let folder = try SourceFolder(["text": ""])
    for number in 1...5_000 { folder.link("text", "\(number).gql") }
    let found = folder.read()
    #expect(found.names.count == 5_000 && found.lines == [])
    folder.link("text", "0.gql")
    let more = folder.read()
    #expect(more.names == [])
    #expect(
      more.lines == [
        "\(folder.path):1:1: error: There are more than 5000 files below this folder. "
          + "Move what is not source elsewhere."
      ])
  }

  @Test func `are sixteen mebibytes at most, all together`() throws {
    let folder = try SourceFolder(["b.gql": "b", "c.gql": ""])
    try folder.write([UInt8](repeating: 0x20, count: (16 << 20) - 1), "a.gql")
    #expect(folder.read().names == ["a.gql", "b.gql", "c.gql"])
    #expect(folder.read().lines == [])
    try folder.write([0x20], "d.gql")
    let found = folder.read()
    #expect(found.names == ["a.gql", "b.gql", "c.gql"])
    #expect(found.lines == ["d.gql:1:1: error: The file is larger than 0 KiB. Make it smaller."])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The connectors of a project` {
  private static let schema = "type Film @table { title: String! }"
  private static let query = "query List @auth(level: PUBLIC) { films { id } }"

  private static func service(_ folders: String...) -> String {
    "serviceId: s\nlocation: l\nconnectorDirs: [\(folders.joined(separator: ", "))]\n"
  }

  @Test func `are read in the order of the file, as far as they can be`() throws {
    let folder = try SourceFolder([
      "dataconnect.yaml": Self.service("b", "gone", "a", "bad"), "schema/a.gql": Self.schema,
      "a/connector.yaml": "connectorId: one\n", "a/x.gql": Self.query,
      "b/connector.yaml": "connectorId: two\nauthMode: x\n", "bad/connector.yaml": "- a\n",
    ])
    let result = DataConnectProject.read(folder.path)
    let project = try #require(result.project)
    #expect(project.folder == folder.path)
    #expect(project.connectors.map(\.configuration.connectorID) == ["two", "one"])
    #expect(project.connectors.map { folder.short($0.folder) } == ["b", "a"])
    #expect(project.connectors.map(\.sources.count) == [0, 1])
    #expect(project.schema.map { folder.short($0.name) } == ["schema/a.gql"])
    #expect(
      result.problems.map { folder.short($0.location?.description ?? "") } == [
        "b/connector.yaml:2:11", "gone/connector.yaml:1:1", "bad/connector.yaml:1:1",
      ])
    #expect(result.problems.map(\.severity) == [.warning, .error, .error])
    #expect(result.problems.allSatisfy { $0.code == "Configuration" })
    #expect(result.problems[1].fix == "Check that the file is there and may be read.")
    #expect(CompiledProject.compile(folder.path).project == nil)
  }

  @Test func `have names that differ`() throws {
    let folder = try SourceFolder([
      "dataconnect.yaml": Self.service("a", "b"), "schema/a.gql": Self.schema,
      "a/connector.yaml": "connectorId: same\n", "b/connector.yaml": "connectorId: same\n",
    ])
    let result = DataConnectProject.read(folder.path)
    #expect(result.project?.connectors.count == 2)
    #expect(
      result.problems.map { folder.short($0.description) } == [
        "dataconnect.yaml:1:1: error: The connectors in \"\(folder.path)/a\" and \"\(folder.path)/b\" are both called "
          + "\"same\". Rename one."
      ])
  }

  @Test func `are compiled beside those with mistakes`() throws {
    let folder = try SourceFolder([
      "dataconnect.yaml": Self.service("a", "b"), "schema/a.gql": Self.schema,
      "a/connector.yaml": "connectorId: a\n", "a/x.gql": "query Bad @auth(level: USER) { filmz { id } }",
      "b/connector.yaml": "connectorId: b\n", "b/x.gql": "query List { films { id } }",
    ])
    let result = CompiledProject.compile(folder.path)
    #expect(result.project == nil)
    #expect(
      result.problems.map { folder.short($0.location?.description ?? "") } == ["a/x.gql:1:32", "b/x.gql:1:7"])
    #expect(result.problems.map(\.severity) == [.error, .warning])
    let read = try #require(DataConnectProject.read(folder.path).project)
    let earlier = CompilerProblem(.error, "No.", code: "Test", at: nil)
    #expect(CompiledProject.compile(read, [earlier]).problems.first == earlier)
  }

  @Test func `are none where an earlier problem is an error`() throws {
    let folder = try SourceFolder([
      "dataconnect.yaml": Self.service("a"), "schema/a.gql": Self.schema, "a/connector.yaml": "connectorId: a\n",
      "a/x.gql": Self.query,
    ])
    let read = DataConnectProject.read(folder.path)
    #expect(read.problems.isEmpty)
    let project = try #require(read.project)
    let compiled = CompiledProject.compile(project)
    #expect(compiled.problems.isEmpty)
    #expect(compiled.project?.connectors.map { folder.short($0.folder) } == ["a"])
    let warning = CompilerProblem(.warning, "Well.", code: "Test", at: nil)
    #expect(CompiledProject.compile(project, [warning]).project != nil)
    #expect(CompiledProject.compile(project, [warning]).problems == [warning])
    let error = CompilerProblem(.error, "No.", code: "Test", at: nil)
    #expect(CompiledProject.compile(project, [error]).project == nil)
  }

  @Test func `have a schema that is there`() throws {
    let folder = try SourceFolder(["dataconnect.yaml": "serviceId: s\nlocation: l\n"])
    let result = DataConnectProject.read(folder.path)
    #expect(result.project?.schema == [])
    #expect(
      result.problems.map { folder.short($0.description) } == [
        "dataconnect.yaml:1:1: error: There is no folder \"\(folder.path)/schema\" for the schema. "
          + "Make it, or change schema.source."
      ])
  }

  @Test func `have files of 256 kibibytes at most`() throws {
    let text = Array("serviceId: s\nlocation: l\n#".utf8)
    let folder = try SourceFolder(["schema/a.gql": ""])
    try folder.write(text + [UInt8](repeating: 0x78, count: (256 << 10) - text.count), "dataconnect.yaml")
    #expect(DataConnectProject.read(folder.path).problems.isEmpty)
    let other = try SourceFolder(["schema/a.gql": ""])
    try other.write(text + [UInt8](repeating: 0x78, count: (256 << 10) + 1 - text.count), "dataconnect.yaml")
    let result = DataConnectProject.read(other.path)
    #expect(result.project == nil)
    #expect(
      result.problems.map { other.short($0.description) } == [
        "dataconnect.yaml:1:1: error: The file is larger than 256 KiB. Make it smaller."
      ])
  }
}
