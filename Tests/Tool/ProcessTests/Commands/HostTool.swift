import JSONRPC
import JSON

/// The `host` command as a user runs it, with its state in a folder of its own.
struct HostTool: Sendable {
  let folder: TemporaryFolder
  /// Of the environment, beside its own.
  var variables: [String: String] = [:]

  init(_ folder: TemporaryFolder? = nil) throws { self.folder = try folder ?? TemporaryFolder() }

  var home: String { "\(folder.path)/home" }

  var environment: [String: String] {
    ["ANNEX_HOME": home, "HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(variables) { $1 }
  }

  /// Starts a command and does not wait for it.
  func start(_ arguments: [String], input: Program.Input = .text("")) throws -> Program {
    try Program("\(Build.products)/host", arguments, environment: environment, input: input)
  }

  /// Starts another product of the build with the same home.
  func startProduct(_ name: String, input: Program.Input = .null) throws -> Program {
    try Program("\(Build.products)/\(name)", environment: environment, input: input)
  }

  /// Runs a line of shell in which `$0` is the command.
  func shell(_ line: String) async throws -> Program.Output {
    try await Program("/bin/sh", ["-c", line, "\(Build.products)/host"], environment: environment).finish()
  }

  func callAsFunction(_ arguments: String..., input: String = "") async throws -> Program.Output {
    try await start(arguments, input: .text(input)).finish()
  }

  func callAsFunction(_ arguments: [String]) async throws -> Program.Output { try await start(arguments).finish() }
}

extension Program.Output {
  /// Standard output as one JSON document.
  var json: JSONValue { get throws { try JSONValue(parsing: stdout) } }

  /// The names of the members of an object.
  static func names(_ value: JSONValue?) -> [String] { value?.objectValue.map { $0.map(\.key) } ?? [] }
}
