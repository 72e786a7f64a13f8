import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// `host trace`: runs one extension and records every message.
enum TraceCommand: HostSubcommand {
  static let command = Command(
    "trace", summary: "Run an extension and record every message between it and the host",
    example: "host trace com.example.adventures.clock -o clock.ndjson",
    options: [
      .text, .url, .title, .config, .value("post", "TEXT", "The text of a share's post; --text when absent"),
      .value("output", short: "o", "FILE", "Write the recording to a file", values: .file),
    ],
    arguments: [
      CommandArgument("ID", "The extension to run", .required),
      CommandArgument("FILE", "Files to share or act on; “-” is standard input", .any, values: .file),
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
    try file.write(for: invocation)
    return try outcome.get()
  }

  private static func run(_ id: String, _ invocation: Invocation) async throws -> ExitStatus {
    let stack = try HostStack(invocation)
    let entry = try stack.registry.enabledExtension(id)
    switch entry.point {
    case .today: return try await update(entry, on: stack, invocation)
    case .share, .action, .actionUI: return try await pass(SharedInput(invocation), to: entry, on: stack, invocation)
    default:
      throw ExtensionError(
        .pointDisallows, "\(id) is for \(entry.point?.shortName ?? "no known point"), which this command cannot run.",
        recovery: "Name an extension for today, share or action.")
    }
  }

  private static func update(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let room = WidgetPresentation(wanted: .compact, fitsScreen: false)
    let update = await WidgetUpdate.run(entry, reason: .visible, in: room, on: stack)
    if let error = update.error { return Failure(error).print(to: invocation) }
    invocation.console.note("\(entry.displayName.escapedForTerminal): \(update.state.outcome?.rawValue ?? "hidden").")
    return .success
  }

  private static func pass(
    _ input: SharedInput, to entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let text = invocation.parsed.value("post") ?? invocation.parsed.value("text") ?? ""
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      guard entry.point == .share else { return try await process.perform([input.item], requests: stack.requests) }
      return try await process.share([input.item], contentText: text, requests: stack.requests)
    }
    switch outcome {
    case .completed(let items):
      invocation.console.note("\(entry.displayName.escapedForTerminal) completed with \(items.count) item(s).")
      return .success
    case .cancelled(let failure):
      invocation.console.note("\(entry.displayName.escapedForTerminal) cancelled: \(failure.domain) \(failure.code).")
      return .failure
    }
  }
}
