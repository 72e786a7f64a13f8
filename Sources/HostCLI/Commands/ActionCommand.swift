import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// `host action`: lets an Action extension transform items.
enum ActionCommand: HostSubcommand {
  static let command = Command(
    "action", summary: "Let an action extension look at items or transform them",
    example: "host action --with com.example.adventures.digest README.md",
    options: [
      .with, .text, .url, .title, .config,
      .value("output", short: "o", "FILE", "Write the returned text to a file", values: .file),
    ],
    arguments: [CommandArgument("FILE", "Files to act on; “-” is standard input", .any, values: .file)])

  static let points: [ExtensionPoint] = [.action, .actionUI]

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let input = try SharedInput(invocation)
    let stack = try HostStack(invocation)
    let entry = try Matching(input, at: points, in: stack.registry).choose(
      named: invocation.parsed.value("with"), at: points, registry: stack.registry)
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.perform([input.item], requests: stack.requests)
    }
    if let path = invocation.parsed.value("output"), case .completed(let items) = outcome {
      try OutputFile.write(text(of: items), to: path)
      invocation.console.note("Wrote \(path).")
      guard invocation.wantsJSON else { return .success }
    }
    return try OutcomeReport(entry: entry, outcome: outcome).print(to: invocation)
  }

  private static func text(of items: [ExtensionItem]) -> String {
    let texts = items.flatMap(\.attachments).compactMap { $0.inline?.encoding == nil ? $0.inline?.value : nil }
    return texts.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
  }
}
