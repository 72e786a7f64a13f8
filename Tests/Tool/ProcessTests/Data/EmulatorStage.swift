import JSONRPC
import Foundation
import Glibc
import HTTPClient
import JSON
import TestSupport
import Testing

/// The tool with an emulator of the movies, both as a user runs them. The service is a copy that a test may edit.
struct EmulatorStage {
  private(set) var host: HostTool
  let service: String
  private(set) var emulator: Program
  private let leftover: Leftover
  /// Where the emulator listens.
  private(set) var url = ""

  /// - Parameters:
  ///   - options: of `host data emulate`.
  ///   - command: how the emulator is started, in either spelling.
  ///   - preparation: lines of shell that run before, in the process that becomes the emulator, in a mount namespace of
  ///     its own where it mounts something; `$ANNEX_HOME` is the folder of the state.
  ///   - edit: changes the service in a folder before it is served.
  init(
    _ options: String..., by command: [String] = ["data", "emulate"], preparedBy preparation: String? = nil,
    edit: (_ folder: String) throws -> Void = { _ in }
  ) async throws {
    host = try HostTool()
    leftover = Leftover(host)
    service = "\(host.folder.path)/dataconnect"
    try FileManager.default.copyItem(atPath: "\(Build.package)/Plugins/Movies/dataconnect", toPath: service)
    try edit(service)
    let arguments = command + ["--dir", service, "--port", "0"] + options
    if let preparation {
      let script = "set -e\n\(preparation)\nexec \"$0\" \"$@\""
      let shell = ["/bin/sh", "-c", script, "\(Build.products)/host"] + arguments
      let isMounting = preparation.contains("mount ")
      emulator = try Program(
        isMounting ? "/usr/bin/unshare" : shell[0],
        isMounting ? ["-m", "--propagation", "private"] + shell : Array(shell.dropFirst()),
        environment: host.environment)
    } else {
      emulator = try host.start(arguments)
    }
    try await connect()
    try host.folder.write(
      "seed.gql",
      """
      mutation Seed {
        heat: movie_insert(data: {title: "Heat", genre: "crime", imageUrl: "", releaseYear: 1995, medium: CINEMA})
        solaris: movie_insert(data: {title: "Solaris", genre: "scifi", imageUrl: ""})
      }
      mutation Rename($old: String!, $new: String!) @auth(level: USER) {
        movie_updateMany(where: {title: {eq: $old}}, data: {title: $new})
      }
      query Titles($genre: String) @auth(level: PUBLIC) { movies(where: {genre: {eq: $genre}}) { title } }
      """)
  }

  /// Has the tool ask the emulator that says where it is.
  private mutating func connect() async throws {
    let line = try await emulator.hear("ready http")
    url = try #require(line.split(whereSeparator: \.isWhitespace).last.map(String.init))
    host.variables["FIREBASE_DATA_CONNECT_EMULATOR_HOST"] = String(url.dropFirst("http://".count))
  }

  /// Has the emulator execute a text for an administrator.
  ///
  /// - Throws: also when it is not there any more.
  func execute(_ text: String, _ variables: JSONValue = [:]) async throws -> JSONValue {
    var request = HTTPRequest(
      "POST", "\(url)/v1/projects/demo/locations/us-east4/services/movies:executeGraphql")
    request.headers["Content-Type"] = "application/json"
    let address = url.dropFirst("http://".count).replacing(":", with: "_")
    // Where the emulator sees its state, which may be in a file system of its own.
    let record = "/proc/\(emulator.pid)/root\(host.home)/servers/\(address).json"
    let entry = try JSONValue(parsing: try String(contentsOfFile: record, encoding: .utf8))
    request.headers["Authorization"] = "Bearer \(entry["secret"]?.stringValue ?? "")"
    request.body = Array(JSONValue.object(["query": .string(text), "variables": variables]).description.utf8)
    return try JSONValue(parsing: try await HTTPClient.patient.send(request).text)
  }

  /// `host data …` in the folder of the test.
  func data(_ line: String) async throws -> Program.Output {
    try await host.shell("cd \(host.folder.path) && $0 data \(line)")
  }

  /// Ends the emulator, as a user does.
  func end() async throws {
    emulator.signal(SIGINT)
    _ = try await emulator.finish()
  }

  /// Ends the emulator and starts it again.
  mutating func restart(_ options: String...) async throws {
    try await end()
    try await start(options)
  }

  /// Starts the emulator when it has ended.
  mutating func start(_ options: [String] = []) async throws {
    emulator = try host.start(["data", "emulate", "--dir", service, "--port", "0"] + options)
    try await connect()
  }

  /// Replaces a text in the schema.
  func edit(_ old: String, _ new: String) throws {
    let path = "\(service)/schema/schema.gql"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(old))
    try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// What root's private server keeps outside of the folder of the test, as its user cannot get into that.
  private final class Leftover: Sendable {
    private let host: HostTool

    init(_ host: HostTool) { self.host = host }

    deinit {
      guard let place = try? String(contentsOfFile: "\(host.home)/data/movies/location", encoding: .utf8) else {
        return
      }
      try? FileManager.default.removeItem(atPath: String(place.dropLast()))
    }
  }
}
