import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// `host action`: lets an Action extension transform items.
enum ActionCommand: HostSubcommand {
  static let command = Command(
    "action", summary: "Let an action extension look at items or transform them",
    discussion: """
      What an editor returns takes the place of what it was given, attachment by attachment; what a viewer returns is \
      dropped. An action with a user interface shows its view, and at a terminal you are asked before its result is used.
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
