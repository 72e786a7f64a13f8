import JSONRPC
import Foundation
import JSON
import Testing

/// `host data` on real files.
@Suite(.timeLimit(.minutes(1)))
struct `Data Connect at the command line` {
  private static let operations = """
    query listNotes @auth(level: USER) { notes { id title } }
    mutation createNote($title: String!) @auth(level: USER) { note_insert(data: { title: $title }) }

    """

  /// A tool beside a service in the folder `service`.
  private func stage(operations: String = operations) throws -> HostTool {
    let host = try HostTool()
    try host.folder.write(
      "service/dataconnect.yaml",
      """
      specVersion: v1
      serviceId: notes
      location: us-east4
      schema: {source: ./schema, datasource: {postgresql: {database: d}}}
      connectorDirs: [./web]

      """)
    try host.folder.write("service/schema/schema.gql", "type Note @table { title: String! text: String }\n")
    try host.folder.write("service/web/operations.gql", operations)
    try host.folder.write(
      "service/web/connector.yaml",
      "connectorId: web\ngenerate: {swiftSdk: {outputDir: ../generated, package: NotesSDK}}\n")
    return host
  }

  private func data(_ host: HostTool, _ words: String...) async throws -> Program.Output {
    try await host(["data"] + words + ["--dir", "\(host.folder.path)/service"])
  }

  private func text(_ host: HostTool, _ path: String) throws -> String {
    try String(contentsOfFile: "\(host.folder.path)/\(path)", encoding: .utf8)
  }

  @Test func `is compiled, and what is wrong is said with its place and a fix`() async throws {
    let host = try stage(operations: "query a @auth(level: USER) { notes { titel } }\nquery b { notes { id } }\n")
    try host.folder.write("service/dataconnect.yaml", try text(host, "service/dataconnect.yaml") + "colour: red\n")
    let output = try await data(host, "compile")
    #expect(output.status == 65, "\(output)")
    let place = "\(host.folder.path)/service"
    #expect(output.stderr.contains("\(place)/web/operations.gql:1:38: error: "), "\(output)")
    #expect(output.stderr.contains("help: Did you mean title?"), "\(output)")
    #expect(output.stderr.contains("\(place)/dataconnect.yaml:6:1: warning: "), "\(output)")
    let json = try await data(host, "compile", "--json").json
    let problem = json["problems"]?.arrayValue?.first { $0["severity"] == "error" }
    #expect(problem?["line"] == 1 && problem?["column"] == 38 && problem?["recovery"] == "Did you mean title?")
  }

  @Test func `is written as it expands, once`() async throws {
    let host = try stage()
    let first = try await data(host, "compile", "--emit", "expansion", "--json").json
    #expect(first["written"]?.arrayValue?.isEmpty == false)
    #expect(try text(host, "service/.dataconnect/schema/main/mutation.gql").contains("note_insert"))
    let second = try await data(host, "compile", "--emit", "expansion", "--json").json
    #expect(second["written"] == [])
    #expect(second["services"]?[0]?["connectors"]?[0]?["operations"]?.arrayValue?.count == 2)
  }

  @Test func `that breaks clients says how`() async throws {
    let (host, released) = (try stage(operations: "query listNotes @auth(level: USER) { notes { id } }\n"), try stage())
    let output = try await data(host, "compile", "--against", "\(released.folder.path)/service")
    #expect(output.status == 1, "\(output)")
    #expect(output.stderr.contains("breaks clients: The mutation \"createNote\" is gone."), "\(output)")
    #expect(output.stderr.contains("has no \"notes.title\" any more"), "\(output)")
    let same = try await data(released, "compile", "--against", "\(released.folder.path)/service")
    #expect(same.status == 0, "\(same)")
  }

  @Test func `that is not there is a missing input`() async throws {
    let host = try stage()
    for words in [["--dir", "/nonexistent"], ["--service", "nots"]] {
      let dir = words.contains("--dir") ? [] : ["--dir", host.folder.path]
      let output = try await host(["data", "compile"] + dir + words)
      #expect(output.status == 66 && output.stderr.contains("help: "), "\(output)")
    }
    let output = try await data(host, "generate", "--connector", "wob")
    #expect(output.status == 66 && output.stderr.contains("Did you mean web?"), "\(output)")
  }

  @Test func `is generated, again only where something has changed`() async throws {
    let host = try stage()
    let first = try await data(host, "generate", "--json").json
    #expect(first["packages"]?[0]?["written"]?.arrayValue?.count == 5, "\(first)")
    let package = "service/generated/NotesSDK"
    #expect(try text(host, "\(package)/Sources/WebOperations.swift").contains("class CreateNoteMutation"))
    #expect(try text(host, "\(package)/Package.swift").contains("package: \"annex\""))
    let second = try await data(host, "generate", "--json").json
    #expect(second["packages"]?[0]?["written"] == [] && second["packages"]?[0]?["removed"] == [])
  }

  @Test func `is generated while it is edited, and keeps the last good package`() async throws {
    let host = try stage()
    let program = try host.start(["data", "generate", "--watch", "--json", "--dir", "\(host.folder.path)/service"])
    _ = try await program.hear("\"event\":\"generated\"")
    let path = "service/generated/NotesSDK/Sources/WebOperations.swift"
    let good = try text(host, path)
    // Whole at once: a file that is written in place is empty for a moment, which is a service without operations.
    func replace(_ text: String) throws {
      try host.folder.write("operations.new", text)
      #expect(rename("\(host.folder.path)/operations.new", "\(host.folder.path)/service/web/operations.gql") == 0)
    }
    try replace("query listNotes { nots { id } }\n")
    _ = try await program.hear("\"event\":\"failed\"")
    #expect(try text(host, path) == good)
    try replace(Self.operations)
    try host.folder.write("service/web/more/all.gql", "query everything @auth(level: USER) { notes { text } }\n")
    let said = try await program.hear("\"unchanged\":[\"Package.swift\"")
    #expect(try text(host, path).contains("class EverythingQuery"), "\(said)")
    program.signal(SIGINT)
    let output = try await program.finish()
    #expect(output.status == 130, "\(output)")
    for line in output.stdout.split(separator: "\n") {
      let round = try JSONValue(parsing: String(line))
      #expect(round["milliseconds"]?.integerValue.map { 0..<60_000 ~= $0 } == true, "\(line)")
    }
  }

  @Test func `makes the package of the sample as it is kept`() async throws {
    let host = try HostTool()
    let sample = "\(Build.package)/Plugins/Movies"
    try FileManager.default.copyItem(atPath: "\(sample)/dataconnect", toPath: "\(host.folder.path)/dataconnect")
    let output = try await host("data", "generate", "--dir", "\(host.folder.path)/dataconnect")
    #expect(output.status == 0, "\(output)")
    for file in [
      "README.md", "Sources/MoviesClient.swift", "Sources/MoviesKeys.swift", "Sources/MoviesOperations.swift",
    ] {
      let kept = try String(contentsOfFile: "\(sample)/generated/MoviesSDK/\(file)", encoding: .utf8)
      #expect(try text(host, "generated/MoviesSDK/\(file)") == kept, "\(file)")
    }
  }
}
