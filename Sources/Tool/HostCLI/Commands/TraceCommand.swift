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
      A widget is updated, a share or an action gets what is named, a photo editor edits a copy of FILE that is then \
      thrown away, a keyboard types --text, and a document picker lists its documents. A file provider works for a \
      document picker: “host documents” records both with --trace.
      """,
    example: "host trace com.example.adventures.clock -o clock.ndjson",
    options: [
      .text, .url, .title, .config, .value("post", "TEXT", "The text of a share's post; --text when absent"),
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
    let feature = invocation.tool.features.first { feature in
      entry.point.map { feature.tracedPoints.contains($0) } ?? false
    }
    guard let feature else { throw ExtensionError.cannotTrace(entry) }
    return try await feature.trace(entry, on: stack, invocation)
  }
}
