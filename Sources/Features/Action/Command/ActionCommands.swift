import CommandLineTool
package import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// Actions in the tool.
package enum ActionCommands: CommandFeature {
  /// The command `host action`.
  package static let commands: [any HostSubcommand.Type] = [ActionCommand.self]

  /// Has the extension act on what the command line names.
  package static let traced: TracedRun? = TracedRun(.action, .actionUI) { entry, stack, invocation in
    let input = try SharedInput(invocation)
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.perform([input.item], requests: stack.requests)
    }
    return outcome.note(entry, to: invocation)
  }
}

/// `host action`: lets an Action extension transform items.
enum ActionCommand: HostSubcommand {
  static let command = Command(
    "action", summary: "Let an action extension look at items or transform them",
    discussion: """
      An action that edits returns new items, which replace those it was given, attachment by attachment. What an \
      action that only views returns is dropped. An action with a user interface shows its view; at a terminal the \
      command asks before it uses the result.
      """,
    example: "host action --with com.example.adventures.digest README.md",
    options: [
      .with, .text, .url, .title, page,
      .value("accept", "TYPE", "Take back attachments of this type only", isRepeatable: true), .config, .trace,
      .returned,
    ],
    arguments: [CommandArgument("FILE", "Files to act on; “-” is standard input", .any, values: .file)])

  private static let page = CommandOption.value(
    "page", "FILE", "What is known of a web page, a JSON object: for extensions that take web pages", values: .file)

  static let points: [ExtensionPoint] = [.action, .actionUI]

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let input = try SharedInput(invocation)
    let stack = try HostStack(invocation)
    let matching = Matching(input, at: points, in: stack.registry)
    guard Dialogue.isPossible(invocation) else {
      let entry = try matching.choose(
        named: invocation.parsed.value("with"), at: points, registry: stack.registry)
      return try await ActionRun(entry: entry, invocation: invocation, stack: stack).run(input, nil)
    }
    return try await Dialogue.with(invocation) { dialogue in
      let named = invocation.parsed.value("with")
      let asks = named == nil && matching.offered.count > 1
      let entry =
        asks
        ? try await SheetMenu([("Actions", matching.offered.map(\.entry))]).choose(in: dialogue)
        : try matching.choose(named: named, at: points, registry: stack.registry)
      guard let entry else {
        dialogue.say("Nothing was done.")
        return .failure
      }
      return try await ActionRun(entry: entry, invocation: invocation, stack: stack).run(input, dialogue)
    }
  }
}
