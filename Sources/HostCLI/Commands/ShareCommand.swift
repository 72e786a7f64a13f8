import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// `host share`: passes items to a Share extension and posts.
enum ShareCommand: HostSubcommand {
  static let command = Command(
    "share", summary: "Share files, a text or a web address through an extension",
    example: "host share --text \"See you there\" --url https://example.com",
    options: [
      .with, .text, .url, .title, .value("post", "TEXT", "The text of the post; --text when absent"), .config, .trace,
    ],
    arguments: [CommandArgument("FILE", "Files to share; “-” is standard input", .any, values: .file)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let input = try SharedInput(invocation)
    return try await HostStack.recording(invocation) { stack in
      try await run(invocation, sharing: input, on: stack)
    }
  }

  private static func run(
    _ invocation: Invocation, sharing input: SharedInput, on stack: HostStack
  ) async throws -> ExitStatus {
    let matching = Matching(input, at: [.share], in: stack.registry)
    let entry = try matching.choose(
      named: invocation.parsed.value("with"), at: [.share], registry: stack.registry)
    let contentText = invocation.parsed.value("post") ?? invocation.parsed.value("text") ?? ""
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.share([input.item], contentText: contentText, requests: stack.requests)
    }
    return try OutcomeReport(entry: entry, outcome: outcome).print(to: invocation)
  }
}
