import Foundation
import JSON
import JSONRPC
import Testing

/// What a person reads and types when an emulator begins.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `The start of an emulator` {
  /// What the tool has written down of the one server that runs.
  private static func entry(of host: HostTool) throws -> JSONValue {
    let name = try #require(host.folder.names(in: "home/servers").first { $0.hasSuffix(".json") })
    return try JSONValue(parsing: host.folder.contents("home/servers/\(name)") ?? "")
  }

  @Test func `says what is served and what to type next, which fills it`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let said = try await stage.emulator.hear("Press Ctrl-C to end.").split(separator: "\n")
    #expect(said.contains { $0.hasPrefix("Serves the Data Connect service in \(stage.service)") }, "\(said)")
    let typed = try said.compactMap { line -> String? in
      guard let start = line.range(of: "FIREBASE_DATA_CONNECT_EMULATOR_HOST=") else { return nil }
      let command = try #require(line[start.lowerBound...].split(separator: ",").first)
      return String(command.replacing("host data", with: "$0 data"))
    }
    // Extensions may send it requests only where that was said.
    #expect(try Self.entry(of: stage.host)["admitsFetches"] == false)
    #expect(typed.count == 2 && typed.first?.hasSuffix("data seed FILE") == true, "\(typed)")
    var tool = stage.host
    tool.variables["FIREBASE_DATA_CONNECT_EMULATOR_HOST"] = nil
    let seed = "\(Build.package)/Plugins/Movies/seed.gql"
    let seeded = try await tool.shell(typed[0].replacing("FILE", with: seed))
    #expect(seeded.status == 0 && seeded.stdout == "Seed: done\n", "\(seeded)")
    #expect(seeded.stderr.contains("Rename: left out, as it needs $old, $new."), "\(seeded)")
    let shown = try await tool.shell("\(typed[1]) -c 'SELECT title FROM movie ORDER BY title'")
    #expect(shown.stdout == "title\nHeat\nSolaris\n", "\(shown)")
    try await stage.end()
  }

  @Test func `has seeds that stop at the first mutation that fails, and files without one refused`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let values = "title: \"Heat\", genre: \"crime\", imageUrl: \"\""
    let id = "id: \"00000000-0000-0000-0000-000000000001\""
    try stage.host.folder.write(
      "three.gql",
      """
      query First { movies { title } }
      mutation Good($title: String = "Alien") { movie_insert(data: {\(id), title: $title, imageUrl: ""}) }
      mutation Bad { movie_insert(data: {\(id), \(values)}) }
      mutation Late { movie_insert(data: {\(values)}) }
      """)
    let stopped = try await stage.data("seed three.gql")
    #expect(stopped.status != 0 && stopped.stdout == "Good: done\n", "\(stopped)")
    #expect(try await stage.data("shell -c 'SELECT title FROM movie'").stdout == "title\nAlien\n")
    #expect(stopped.stderr.contains("Bad: movie_insert: "), "\(stopped)")
    let listed = try await stage.host.shell(
      "echo 'mutation { movie_insert(data: {\(values)}) }' | $0 data seed - --json")
    #expect(try listed.status == 0 && listed.json[0]?["data"]?["movie_insert"] != nil, "\(listed)")
    for text in [
      "query Only { movies { title } }", "mutation Needs($t: String!) { movie_insert(data: {title: $t}) }", "{",
    ] {
      try stage.host.folder.write("none.gql", text)
      let refused = try await stage.data("seed none.gql")
      #expect(refused.status == 65 && refused.stderr.contains("none.gql"), "\(refused)")
    }
    #expect(try await stage.data("seed absent.gql").status == 66)
    try await stage.end()
    #expect(try await stage.data("seed three.gql").status == 69)
  }

  @Test func `is not ready before something is deployed`() async throws {
    let host = try HostTool()
    let service = "\(host.folder.path)/dataconnect"
    try FileManager.default.copyItem(atPath: "\(Build.package)/Plugins/Movies/dataconnect", toPath: service)
    let path = "\(service)/schema/schema.gql"
    let good = try String(contentsOfFile: path, encoding: .utf8)
    try (good + "type Wrong @table { a: Missing }\n").write(toFile: path, atomically: true, encoding: .utf8)
    let emulator = try host.start(["data", "emulate", "--dir", service, "--port", "0", "--ephemeral", "--allow-fetch"])
    let mistaken = try await emulator.hear("Nothing is served yet.")
    #expect(mistaken.contains("schema/schema.gql:") && !mistaken.contains("previous"), "\(mistaken)")
    try good.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try await emulator.hear("The service follows its files.").contains("Nothing is served yet."))
    _ = try await emulator.hear("ready http")
    #expect(try Self.entry(of: host)["admitsFetches"] == true)
    emulator.signal(SIGINT)
    let output = try await emulator.finish()
    #expect(output.stdout.components(separatedBy: "ready").count == 2, "\(output)")
  }

  @Test(arguments: ["postgres", "My-Movies \\\"now\\\"", "template1"])
  func `serves a database of any name`(name: String) async throws {
    let stage = try await EmulatorStage("--ephemeral") {
      let path = "\($0)/dataconnect.yaml"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("database: \"movies\"", with: "database: \"\(name)\"")
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try await stage.data("seed seed.gql").status == 0)
    let titles = try await stage.data("execute seed.gql Titles -v '{\"genre\": \"crime\"}' --as nobody")
    #expect(try titles.json["movies"] == [["title": "Heat"]], "\(titles)")
    try await stage.end()
  }
}
