import DataConnectCompiler
import Files
import Testing

/// A folder with files, which is gone with it.
private final class ProjectFolder: Sendable {
  let path: String

  init(_ files: [String: String]) throws {
    path = try Folder.makeTemporary(beginning: "/tmp/data-connect-")
    for (name, text) in files {
      let file = "\(path)/\(name)"
      try Folder.make(Folder.parent(of: file))
      try File.writeNew(Array(text.utf8), to: file)
    }
  }

  deinit { try? Folder.remove(path) }

  /// The problems without the folder's name.
  func lines(_ problems: [CompilerProblem]) -> [String] {
    problems.map { problem in
      let line = problem.description
      return line.hasPrefix(path + "/") ? String(line.dropFirst(path.count + 1)) : line
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The configuration of a project` {
  private static let service = """
    specVersion: "v1"
    serviceId: films
    location: us-east4
    schema:
      source: ./schema
      datasource: {postgresql: {database: d, cloudSql: {instanceId: i, schemaValidation: COMPATIBLE}}}
    connectorDirs: [./films]
    """
  private static let connector = """
    connectorId: films
    generate:
      swiftSdk:
        - outputDir: ../gen
          package: Films
          observablePublisher: observableObject
          clientCache: {maxAge: 5m, storage: memory, maxSize: 1000}
        - {outputDir: ../other, package: Other, clientCache: }
    """

  private static func files(_ changes: [String: String] = [:]) -> [String: String] {
    let files = [
      "dataconnect.yaml": service, "films/connector.yaml": connector,
      "schema/schema.gql": "type Film @table { title: String! }",
      "schema/more/actors.graphql": "type Actor @table { name: String! }",
      "schema/.dataconnect/schema/prelude.gql": "type Film { }", "schema/notes.txt": "nothing",
      "films/queries.gql": "query List @auth(level: PUBLIC) { films { id title } }",
    ]
    return files.merging(changes) { _, new in new }
  }

  private func compile(
    _ changes: [String: String] = [:]
  ) throws -> (project: CompiledProject?, lines: [String]) {
    let folder = try ProjectFolder(Self.files(changes))
    let result = CompiledProject.compile(folder.path)
    return (result.project, folder.lines(result.problems))
  }

  @Test func `is read with the files that it leads to`() throws {
    let (compiled, lines) = try compile()
    #expect(lines == [])
    let project = try #require(compiled)
    let service = project.project.configuration
    #expect(service.serviceID == "films" && service.location == "us-east4" && service.specVersion == "v1")
    #expect(service.database?.database == "d" && service.database?.schema == "public")
    #expect(service.database?.instanceID == "i" && service.database?.validation == .compatible)
    #expect(project.schema.tables.map(\.name) == ["Actor", "Film"])
    let connector = try #require(project.connectors.first)
    #expect(connector.configuration.connectorID == "films")
    #expect(connector.connector.operations.map(\.name) == ["List"])
    let packages = connector.configuration.swiftPackages
    #expect(packages.map(\.package) == ["Films", "Other"])
    #expect(packages.map(\.publisher) == [.observableObject, .observableMacro])
    #expect(packages.first?.cache == nil || packages.first?.cache?.maxAge == 300_000)
    #expect(packages.first?.cache?.maxSize == 1_000 && packages.first?.cache?.storage == .memory)
    #expect(packages.last?.cache?.maxAge == 0 && packages.last?.cache?.storage == .persistent)
  }

  @Test func `has usual values`() throws {
    let (compiled, lines) = try compile([
      "dataconnect.yaml": "serviceId: s\nlocation: l\n"
    ])
    #expect(lines == [])
    #expect(compiled?.project.configuration.schemaSource == "./schema")
    #expect(compiled?.project.configuration.database == nil && compiled?.connectors.isEmpty == true)
  }

  @Test func `warns of keys that mean nothing`() throws {
    let (compiled, lines) = try compile([
      "dataconnect.yaml": Self.service.split(separator: "schema:").joined(separator: "schema:")
        + "\nconectorDirs: [x]\nfoo: 1\n"
    ])
    #expect(compiled != nil)
    #expect(
      lines == [
        "dataconnect.yaml:8:1: warning: The key \"conectorDirs\" of dataconnect.yaml means nothing. Did you mean connectorDirs?",
        "dataconnect.yaml:9:1: warning: The key \"foo\" of dataconnect.yaml means nothing. There are specVersion, serviceId, location, schema, schemas, connectorDirs.",
      ])
  }

  @Test func `names what is not supported`() throws {
    let connector =
      "connectorId: films\nauthMode: PUBLIC\ngenerate:\n  kotlinSdk: {outputDir: x}\n  javascriptSdk: {}\n"
    let (compiled, lines) = try compile(["films/connector.yaml": connector])
    #expect(compiled != nil)
    #expect(
      lines.map { $0.prefix(36) } == [
        "films/connector.yaml:2:11: warning: ", "films/connector.yaml:4:3: warning: k",
        "films/connector.yaml:5:3: warning: j",
      ])
    let secondary = """
      serviceId: s
      location: l
      schemas:
        - {id: main, source: ./schema, datasource: {postgresql: {database: d}}}
        - {id: shop, datasource: {httpGraphql: {uri: "https://example.org"}}}
      """
    let (none, found) = try compile(["dataconnect.yaml": secondary])
    #expect(none == nil)
    #expect(found.first?.hasPrefix("dataconnect.yaml:5:5: error: The schema \"shop\" is not supported") == true)
    let http = "serviceId: s\nlocation: l\nschema:\n  datasource:\n    httpGraphql: {uri: x}\n"
    #expect(try compile(["dataconnect.yaml": http]).lines.first?.contains("5:18: error: Data behind another") == true)
  }

  @Test func `tells every mistake of every file`() throws {
    let (none, lines) = try compile([
      "dataconnect.yaml": "serviceId: s\nlocation: l\nconnectorDirs: [./films, ./gone]\n",
      "films/connector.yaml":
        "connectorId: Ä\ngenerate:\n  swiftSdk: {package: a-b, observablePublisher: observable, clientCache: {maxAge: soon}}\n",
      "schema/schema.gql": "type Film @table { title: Strin }",
    ])
    #expect(none == nil)
    let places = lines.map { $0.split(separator: ": ").prefix(2).joined(separator: ": ") }
    #expect(
      places == [
        "films/connector.yaml:1:14: error", "films/connector.yaml:3:13: error", "films/connector.yaml:3:23: error",
        "films/connector.yaml:3:49: error", "films/connector.yaml:3:83: error", "gone/connector.yaml:1:1: error",
        "schema/schema.gql:1:27: error",
      ])
  }

  @Test func `tells what is missing and what is no YAML`() throws {
    #expect(
      try compile(["dataconnect.yaml": "location: l\n"]).lines.first?.contains(
        "\"serviceId\" of dataconnect.yaml is missing") == true)
    #expect(try compile(["dataconnect.yaml": ""]).lines.first?.contains("holds nothing") == true)
    #expect(try compile(["dataconnect.yaml": "a: [\n"]).lines.first?.contains("This is not YAML") == true)
    #expect(try compile(["dataconnect.yaml": "- a\n"]).lines.first?.contains("is not a mapping") == true)
    let twice = Self.service.split(separator: "[./films]").joined() + "[./films, ./other]"
    let (_, lines) = try compile(["dataconnect.yaml": twice, "other/connector.yaml": "connectorId: films"])
    #expect(lines.contains { $0.contains("are both called \"films\"") })
    let folder = try ProjectFolder([:])
    #expect(DataConnectProject.read(folder.path).problems.count == 1)
    let schema = try compile(["dataconnect.yaml": "serviceId: s\nlocation: l\nschema: {source: ./gone}"])
    #expect(schema.lines.first?.contains("There is no folder") == true)
  }
}
