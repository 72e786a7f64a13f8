import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import ExtensionProtocol
import Foundation
import JSON
import TestSupport
import Testing

@testable import FeatureCommands

/// `host data compile` and `diff`, on the service that `host data init` begins.
@Suite(.timeLimit(.minutes(1)))
struct `A command for a service` {
  private let stage: FeatureStage

  init() throws {
    stage = try FeatureStage(DataCommand.command)
    try begin("now")
  }

  /// Writes the service that `host data init` begins.
  private func begin(_ folder: String) throws {
    for file in StarterService.files { try write(file.text, to: "\(folder)/\(file.path)") }
    try write("connectorId: \"default\"\n", to: "\(folder)/connector/connector.yaml")
  }

  private func write(_ text: String, to path: String) throws {
    let parent = URL(fileURLWithPath: stage.folder.file(path)).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    _ = try stage.folder.write(text, to: path)
  }

  private func names(in path: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: stage.folder.file(path))) ?? [])
  }

  private var now: String { stage.folder.file("now") }

  // MARK: Compile

  @Test func `says in a line what it has, and writes nothing`() throws {
    #expect(try DataCompile(try stage.invocation("compile", "--dir", now)).run() == .success)
    #expect(stage.output == "service: 1 table, 1 connector, 2 operations\n")
    #expect(names(in: "now") == ["dataconnect.yaml", "schema", "connector"])
  }

  @Test func `writes what its schema expands to, and takes away what an earlier one had`() throws {
    let folder = "now/.dataconnect/schema/main"
    try write("type Note @table(key: \"title\") { title: String! }", to: "now/schema/schema.gql")
    try write("query all @auth(level: USER) { notes { title } }", to: "now/connector/operations.gql")
    for name in ["implicit.gql", "query.gql", "own.gql"] { try write("# old", to: "\(folder)/\(name)") }
    func written() throws -> [JSONValue] {
      stage.clear()
      let invocation = try stage.invocation("compile", "--dir", now, "--emit", "expansion", "--json")
      #expect(try DataCompile(invocation).run() == .success)
      return try JSONValue(parsing: stage.output)["written"]?.arrayValue ?? []
    }
    #expect(try written().contains(.string("\(now)/.dataconnect/schema/main/query.gql")))
    // The table has no column that nobody declared; what is nobody's file stays.
    let kept: Set = ["relation.gql", "input.gql", "query.gql", "mutation.gql", "own.gql"]
    #expect(names(in: folder) == kept)
    #expect(names(in: "now/.dataconnect/schema") == ["main", "prelude.gql"])
    let query = try String(contentsOfFile: stage.folder.file("\(folder)/query.gql"), encoding: .utf8)
    #expect(query != "# old")
    // What is as it should be is not written again, and not removed.
    #expect(try written() == [] && names(in: folder) == kept)
  }

  @Test func `tells an error with its place, and with what to do`() throws {
    try write("type Note @table { title: Strin }", to: "now/schema/schema.gql")
    let status = try DataCompile(try stage.invocation("compile", "--dir", now)).run()
    #expect(status == .dataError)
    let lines = (stage.output + stage.errors).split(separator: "\n")
    let error = try #require(lines.firstIndex { $0.hasPrefix("\(now)/schema/schema.gql:1:") })
    #expect(lines[error].contains(": error: ") && lines[error + 1].hasPrefix("  help: "), "\(lines)")
    stage.clear()
    _ = try DataCompile(try stage.invocation("compile", "--dir", now, "--json")).run()
    let problem = try #require(try JSONValue(parsing: stage.output)["problems"]?.arrayValue?.first)
    #expect(problem["severity"] == "error" && problem["line"] == 1, "\(problem)")
    #expect(problem["recovery"]?.stringValue == String(lines[error + 1].dropFirst(8)), "\(problem)")
  }

  private func changes(against folder: String) throws -> (status: CommandLineTool.ExitStatus, document: JSONValue) {
    stage.clear()
    let before = stage.folder.file(folder)
    let status = try DataCompile(
      try stage.invocation("compile", "--dir", now, "--against", before, "--json")
    ).run()
    return (status, try JSONValue(parsing: stage.output))
  }

  @Test func `breaks no client where nothing has gone, and tells what has`() throws {
    let same = try changes(against: "now")
    #expect(same.status == .success && same.document["changes"] == [])
    try begin("then")
    try write("connectorId: \"old\"\n", to: "then/connector/connector.yaml")
    let connector = try changes(against: "then")
    #expect(connector.status == .failure)
    #expect(connector.document["changes"]?.arrayValue?.map { $0["message"] } == ["The connector “old” is gone."])
    let yaml = StarterService.files[0].text.replacing("serviceId: \"service\"", with: "serviceId: \"other\"")
    try write(yaml, to: "then/dataconnect.yaml")
    let service = try changes(against: "then")
    #expect(service.status == .failure)
    #expect(service.document["changes"]?.arrayValue?.map { $0["message"] } == ["The service “other” is gone."])
  }

  @Test func `cannot be compared with one that has errors`() throws {
    try begin("then")
    try write("type {", to: "then/schema/schema.gql")
    let failure = #expect(throws: Failure.self) { _ = try changes(against: "then") }
    #expect(failure?.status == .dataError && failure?.error.message.contains("do not compile") == true)
  }

  // MARK: Which service

  @Test func `means the service that is named, or the only one`() throws {
    let yaml = StarterService.files[0].text.replacing("serviceId: \"service\"", with: "serviceId: \"other\"")
    try begin("other")
    try write(yaml, to: "other/dataconnect.yaml")
    let path = stage.folder.path
    let all = try CompiledServices(path, service: nil)
    #expect(all.services.count == 2)
    let several = #expect(throws: Failure.self) { try all.only() }
    #expect(several?.status == .usage && several?.error.message == "There are 2 services: service, other.")
    let one = try CompiledServices(path, service: "service")
    #expect(one.services.map(\.folder) == [now])
    #expect(try one.only().project != nil)
    let none = #expect(throws: Failure.self) { try CompiledServices(path, service: "servce") }
    #expect(none?.status == .noInput && none?.error.message == "There is no service “servce” in “\(path)”.")
    #expect(none?.error.recovery?.contains("service") == true)
  }

  // MARK: Diff

  static let plans: [(json: String, isEmpty: Bool, output: String, errors: [String])] = [
    ("{}", true, "", ["The database is as the schema says."]),
    (#"{"steps": [], "obstacles": []}"#, true, "", ["The database is as the schema says."]),
    (#"{"steps": [], "obstacles": [1], "sql": "-- none\n"}"#, false, "-- none\n", []),
    (#"{"steps": [{}], "sql": "CREATE;\n"}"#, false, "CREATE;\n", []),
    (
      #"{"steps": [{"loss": "All of a."}, {}, {"loss": "All of b."}], "sql": "DROP;\n"}"#, false, "DROP;\n",
      ["All of a.", "All of b."]
    ),
  ]

  @Test(arguments: plans) func `prints the SQL that is needed, and warns of each loss`(
    json: String, isEmpty: Bool, output: String, errors: [String]
  ) throws {
    let plan = try JSONValue(parsing: json)
    let status = try DataDiff(try stage.invocation("diff", "--dir", now)).tell(plan)
    #expect(status == (isEmpty ? .success : .failure) && stage.output == output)
    #expect(stage.errors.split(separator: "\n").count == errors.count)
    for error in errors { #expect(stage.errors.contains(error)) }
  }

  @Test func `prints the plan itself for a program, with the same status`() throws {
    let diff = try DataDiff(try stage.invocation("diff", "--dir", now, "--json"))
    #expect(diff.tell(["steps": []]) == .success)
    #expect(try JSONValue(parsing: stage.output) == ["steps": []])
    #expect(stage.errors == "")
    #expect(diff.tell(["steps": [["loss": "All."]]]) == .failure && stage.errors.contains("All."))
  }

  // MARK: Execute

  @Test func `is asked for nobody, for claims, or for a user by name`() throws {
    #expect(try DataExecute.caller("nobody") == ["unauthenticated": true])
    #expect(try DataExecute.caller("ann") == ["authClaims": ["sub": "ann"]])
    #expect(try DataExecute.caller("") == ["authClaims": ["sub": ""]])
    #expect(try DataExecute.caller(#"{"sub": "b"}"#) == ["authClaims": ["sub": "b"]])
    try write(#"{"sub": "c"}"#, to: "claims.json")
    #expect(try DataExecute.caller("@" + stage.folder.file("claims.json")) == ["authClaims": ["sub": "c"]])
    try write("[1]", to: "claims.json")
    for wrong in ["{", "{\"a\"", "@" + stage.folder.file("claims.json")] {
      let error = #expect(throws: CommandLineError.self) { try DataExecute.caller(wrong) }
      #expect(error?.message.hasPrefix("--as is not ") == true)
    }
    #expect(throws: InputError.self) { try DataExecute.caller("@" + stage.folder.file("none")) }
  }
}

/// The Swift packages that may use what is generated.
@Suite(.timeLimit(.minutes(1)))
struct `The packages of a service` {
  private let stage: FeatureStage
  /// The folder as the kernel knows it.
  private let root: String

  init() throws {
    stage = try FeatureStage([.value("package", "DIR", "The package")])
    root = URL(fileURLWithPath: stage.folder.path).resolvingSymlinksInPath().path
    // What is above the test's folder is none of its business.
    try write(".git/HEAD")
    try write("a/b/c/x")
  }

  private func write(_ path: String) throws {
    let parent = URL(fileURLWithPath: stage.folder.file(path)).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    _ = try stage.folder.write("", to: path)
  }

  private func found(_ folder: String, excluding excluded: String...) throws -> [String] {
    let packages = try SwiftPackages(
      try stage.invocation(), at: "\(root)/\(folder)", excluding: Set(excluded.map { "\(root)/\($0)" }))
    return packages.folders.map { String($0.dropFirst(root.count)) }
  }

  @Test func `are the folder itself, else those below it`() throws {
    try write("a/b/one/Package.swift")
    try write("a/b/two/Package.swift")
    #expect(try found("a/b") == ["/a/b/one", "/a/b/two"])
    #expect(try found("a/b", excluding: "a/b/one") == ["/a/b/two"])
    try write("a/b/one/.dataconnect-generated")
    #expect(try found("a/b") == ["/a/b/two"])
    try write("a/b/Package.swift")
    #expect(try found("a/b") == ["/a/b"])
  }

  @Test func `are else the nearest one above it, up to the root of the project`() throws {
    try write("Package.swift")
    #expect(try found("a/b/c") == [""])
    try write("a/Package.swift")
    #expect(try found("a/b/c") == ["/a"])
    #expect(try found("a/b/c", excluding: "a") == [""])
  }

  @Test func `are at last those elsewhere in the project, and none beyond its root`() throws {
    try write("other/Package.swift")
    #expect(try found("a/b/c") == ["/other"])
    // A nearer root ends the search.
    try write("a/firebase.json")
    #expect(try found("a/b/c") == [])
    try write("a/near/Package.swift")
    #expect(try found("a/b/c") == ["/a/near"])
  }

  @Test func `are not looked for above a folder that is a root itself`() throws {
    try write("Package.swift")
    try write("a/.git/HEAD")
    #expect(try found("a") == [])
  }

  @Test func `are the one that is named, by its folder or its manifest`() throws {
    try write("p/Package.swift")
    try write("Package.swift")
    for name in ["p", "p/", "p/Package.swift"] {
      let invocation = try stage.invocation("--package", "\(root)/\(name)")
      #expect(try SwiftPackages(invocation, at: root, excluding: []).folders == ["\(root)/p"], "\(name)")
    }
    let invocation = try stage.invocation("--package", "\(root)/a")
    let failure = #expect(throws: Failure.self) { try SwiftPackages(invocation, at: root, excluding: []) }
    #expect(failure?.status == .noInput)
    #expect(failure?.error.message == "There is no Package.swift in “\(root)/a”.")
  }
}
