import CommandLineTool
import DataConnectEmulator
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
}
