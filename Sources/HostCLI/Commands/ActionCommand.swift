import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import PropertyList

/// `host action`: lets an Action extension transform items.
enum ActionCommand: HostSubcommand {
  static let command = Command(
    "action", summary: "Let an action extension look at items or transform them",
    example: "host action --with com.example.adventures.digest README.md",
    options: [
      .with, .text, .url, .title, .config, .trace,
      .value("output", short: "o", "FILE", "Write what is returned to a file", values: .file),
    ],
    arguments: [CommandArgument("FILE", "Files to act on; “-” is standard input", .any, values: .file)])

  static let points: [ExtensionPoint] = [.action, .actionUI]

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let input = try SharedInput(invocation)
    return try await HostStack.recording(invocation) { stack in
      try await run(invocation, actingOn: input, on: stack)
    }
  }

  private static func run(
    _ invocation: Invocation, actingOn input: SharedInput, on stack: HostStack
  ) async throws -> ExitStatus {
    let entry = try Matching(input, at: points, in: stack.registry).choose(
      named: invocation.parsed.value("with"), at: points, registry: stack.registry)
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.perform([input.item], requests: stack.requests)
    }
    if let path = invocation.parsed.value("output"), case .completed(let items) = outcome {
      try OutputFile.write(try bytes(of: items, from: entry), to: path)
      invocation.console.note("Wrote \(path.escapedForTerminal).")
      guard invocation.wantsJSON else { return .success }
    }
    return try OutcomeReport(entry: entry, outcome: outcome).print(to: invocation)
  }

  /// The attachments one after the other, texts with a line end each; the items' own texts when none is attached.
  private static func bytes(of items: [ExtensionItem], from entry: RegistryEntry) throws(ExtensionError) -> [UInt8] {
    let attached = items.flatMap(\.attachments).compactMap(\.inline)
    let texts = attached.isEmpty ? items.compactMap(\.attributedContentText) : []
    guard !attached.isEmpty || !texts.isEmpty else {
      throw ExtensionError(
        .contentInvalid, "\(entry.displayName) returned nothing that could be written to a file.",
        recovery: "Leave -o away to see what it returned.")
    }
    return attached.flatMap { $0.encoding == nil ? line($0.value) : Base64.decode($0.value) ?? [] }
      + texts.flatMap(line)
  }

  private static func line(_ text: String) -> [UInt8] { Array((text.hasSuffix("\n") ? text : text + "\n").utf8) }
}
