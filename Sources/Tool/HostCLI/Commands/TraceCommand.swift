import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol

/// `host trace`: runs one extension and records every message.
enum TraceCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "trace", summary: "Run an extension and record every message between it and the host",
    discussion: """
      The command updates a widget, sends the named items to a share extension or an action, has a photo editor edit \
      a copy of FILE, types --text through a keyboard, or lists the documents of a document picker. A file provider \
      works for a document picker: “host documents” records both with --trace.
      """,
    example: "host trace com.example.adventures.clock -o clock.ndjson",
    options: [
      .text, .url, .title, .config, .value("post", "TEXT", "The text of a post (default: that of --text)"),
      .value("output", short: "o", "FILE", "Write the recording to a file", values: .file),
    ],
    arguments: [
      CommandArgument("ID", "The extension to run", .required, values: .identifier),
      CommandArgument("FILE", "Files to share, act on or edit; “-” is standard input", .any, values: .file),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let file = TraceFile(path: invocation.parsed.value("output"))
    guard let id = invocation.parsed.arguments("ID").first else {
      throw CommandLineError("There is no extension to run.", help: "Name one of those that \"host list\" shows.")
    }
    var invocation = invocation
    invocation.trace = file
    let outcome: Result<ExitStatus, any Error>
    do { outcome = .success(try await run(id, invocation)) } catch { outcome = .failure(error) }
    return try file.write(after: outcome, for: invocation)
  }

  private static func run(_ id: String, _ invocation: Invocation) async throws -> ExitStatus {
    let stack = try HostStack(invocation)
    let entry = try stack.registry.enabledExtension(id)
    let runs = invocation.tool.features.lazy.compactMap { $0.traced }
    guard let point = entry.point, let traced = runs.first(where: { $0.points.contains(point) }) else {
      throw ExtensionError.cannotTrace(entry)
    }
    return try await traced.run(entry, stack, invocation)
  }
}
