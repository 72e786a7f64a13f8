import CommandLineTool
import DataConnectEmulator
import EventLoop
import HTTPServer
import JSON
import Testing

@testable import FeatureCommands

/// What `host data` prints of the emulator's answers.
@Suite(.timeLimit(.minutes(1)))
struct `An answer of the emulator` {
  static let errors: [(json: String, lines: [String])] = [
    (#"{"data": {}}"#, []), (#"{"errors": []}"#, []), (#"{"errors": {}}"#, []),
    (#"{"errors": [{"message": "no"}, {"message": "nor this"}]}"#, ["no", "nor this"]),
    (#"{"errors": [{"message": "no", "extensions": {"debugDetails": "at all"}}]}"#, ["no at all"]),
    (#"{"errors": [{"message": "no", "path": ["films", 2, "title"]}]}"#, ["films.2.title: no"]),
    (
      #"{"errors": [{"message": "no", "path": [], "locations": [{"line": 3, "column": 7}]}]}"#,
      ["3:7: no"]
    ),
    (
      #"{"errors": [{"message": "no", "path": ["a"], "locations": [{"line": 1, "column": 2}, {"line": 9}]}]}"#,
      ["a:1:2: no"]
    ),
    (#"{"errors": [{"message": "no", "locations": []}]}"#, ["no"]),
    (#"{"errors": [{"code": 1}]}"#, [#"{"code":1}"#]),
  ]

  @Test(arguments: errors) func `has a line for each error`(json: String, lines: [String]) throws {
    #expect(try JSONValue(parsing: json).emulatorErrors == lines)
  }
}

/// `--issuer` of `host data emulate`.
@Suite(.timeLimit(.minutes(1)))
struct `The tokens that an emulator believes` {
  @Test(arguments: [
    "example.com", "ftp://example.com", "http://example.com", "http://192.0.2.1:80/",
    "https://user@example.com", "",
  ])
  func `come from no issuer that could be another`(issuer: String) {
    let error = #expect(throws: CommandLineError.self) {
      try TokenPolicy(issuer: issuer, audience: nil)
    }
    #expect(error?.message.contains("“\(issuer)” is not an https URL.") == true)
  }

  @Test(arguments: [
    "https://example.com", "http://127.0.0.1:4505/t", "http://[::1]:1", "http://localhost",
  ])
  func `come from an issuer with encryption, or of this machine`(issuer: String) {
    #expect(throws: Never.self) { try TokenPolicy(issuer: issuer, audience: "a") }
  }

  @Test func `are checked with keys that come also when the one who asked for them has gone`() async throws {
    let (asked, mayAnswer) = (Signal(), Signal())
    let server = HTTPServer(configuration: HTTPServer.Configuration()) { request in
      if request.path == "/keys" { return ServerResponse(text: "{\"keys\": []}") }
      asked.send()
      try? await mayAnswer.wait(past: 0)
      return ServerResponse(text: "{\"jwks_uri\": \"http://\(request.header("Host") ?? "")/keys\"}")
    }
    try await server.withRunning { address in
      let policy = try TokenPolicy(issuer: "http://127.0.0.1:\(address.port)", audience: nil)
      let issuer = try #require(policy.issuer)
      let caller = Task { try await issuer.keys() }
      try await asked.wait(past: 0)
      caller.cancel()
      mayAnswer.send()
      #expect(try await caller.value == Array("{\"keys\": []}".utf8))
    }
  }
}
