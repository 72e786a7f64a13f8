import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// `host share`: passes items to a Share extension and posts; at a terminal, the share sheet.
enum ShareCommand: HostSubcommand {
  static let command = Command(
    "share", summary: "Share files, a text or a web address through an extension",
    discussion: """
      At a terminal and without --post, the command lists the extensions that accept the items, Share extensions \
      first and actions below, and you write the post in the sheet of the one that you choose. Otherwise the options \
      decide: --with names the extension when several match, --post (or --text) is the text, and --option sets what \
      the extension lets you set.
      """,
    example: "host share --text \"See you there\" --url https://example.com",
    options: [
      .with, .text, .url, .title, .value("post", "TEXT", "The text of the post (default: that of --text)"),
      .value("option", "NAME=VALUE", "Set an option of the extension", isRepeatable: true),
      .flag("wait", "Wait until the transfers that the extension began are done"), .config, .trace,
      .returned,
    ],
    arguments: [CommandArgument("FILE", "Files to share; “-” is standard input", .any, values: .file)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let options = try SheetOptions(invocation.parsed.values("option"))
    let input = try SharedInput(invocation)
    let stack = try HostStack(invocation)
    if invocation.parsed.value("post") == nil, Dialogue.isPossible(invocation) {
      return try await Dialogue.with(invocation) { dialogue in
        try await converse(invocation, input, options, stack, dialogue)
      }
    }
    let entry = try chosen(invocation, input, stack)
    let contentText = invocation.parsed.value("post") ?? invocation.parsed.value("text") ?? ""
    return try await compose(entry, input, invocation, stack) { sheet in
      try await options.apply(to: sheet, of: entry.displayName)
      _ = try await sheet.setText(contentText)
      return try await sheet.post()
    }
  }

  /// Returns the extension to use without asking the user.
  private static func chosen(
    _ invocation: Invocation, _ input: SharedInput, _ stack: HostStack
  ) throws -> RegistryEntry {
    do {
      return try Matching(input, at: [.share], in: stack.registry).choose(
        named: invocation.parsed.value("with"), at: [.share], registry: stack.registry)
    } catch let error as CommandLineError {
      guard invocation.parsed.value("post") ?? invocation.parsed.value("text") == nil else { throw error }
      throw CommandLineError(error.message, help: "\(error.help) Write the post's text with --post TEXT.")
    }
  }

  /// The share sheet at a terminal.
  private static func converse(
    _ invocation: Invocation, _ input: SharedInput, _ options: SheetOptions, _ stack: HostStack, _ dialogue: Dialogue
  ) async throws -> ExitStatus {
    let points: [ExtensionPoint] = [.share, .action, .actionUI]
    let matching = Matching(input, at: points, in: stack.registry)
    let named = invocation.parsed.value("with")
    guard named == nil, !matching.offered.isEmpty else {
      let entry = try matching.choose(named: named, at: points, registry: stack.registry)
      return try await use(entry, invocation, input, options, stack, dialogue)
    }
    let entries = matching.offered.map(\.entry)
    let menu = SheetMenu([
      ("Share", entries.filter { $0.point == .share }), ("Actions", entries.filter { $0.point != .share }),
    ])
    guard let entry = try await menu.choose(in: dialogue) else {
      dialogue.say("Nothing was shared.")
      return .failure
    }
    return try await use(entry, invocation, input, options, stack, dialogue)
  }

  private static func use(
    _ entry: RegistryEntry, _ invocation: Invocation, _ input: SharedInput, _ options: SheetOptions, _ stack: HostStack,
    _ dialogue: Dialogue
  ) async throws -> ExitStatus {
    guard entry.point == .share else {
      return try await ActionRun(entry: entry, invocation: invocation, stack: stack).run(input, dialogue)
    }
    return try await compose(entry, input, invocation, stack) { sheet in
      try await options.apply(to: sheet, of: entry.displayName)
      await sheet.hostStateDidChange(to: .didBecomeActive)
      let text = invocation.parsed.value("text") ?? ""
      return try await ComposeDialogue(sheet, dialogue, name: entry.displayName, contentText: text).run()
    }
  }

  private static func compose(
    _ entry: RegistryEntry, _ input: SharedInput, _ invocation: Invocation, _ stack: HostStack,
    _ body: (ShareSheet) async throws -> RequestService.Outcome
  ) async throws -> ExitStatus {
    let transfers = invocation.parsed.flag("wait") ? AwaitedTransfers(stack.service(), invocation) : nil
    let (outcome, late) = try await stack.withExtension(entry) { process in
      transfers?.follow(process.caller)
      stack.items.offer(input.sources, to: process)
      return try await process.compose(
        [input.item], requests: stack.requests, service: stack.service(), terms: RequestService.Terms(invocation)
      ) { sheet in
        var late = LateAttachments(of: input)
        let outcome = try await body(sheet)
        guard case .completed(let returned) = outcome else { return (outcome, late) }
        let items = try await late.fetch(for: returned, of: process) { attachment, limit throws(ExtensionError) in
          try await process.bytes(of: attachment, requestID: sheet.requestID, limit: limit)
        }
        return (RequestService.Outcome.completed(items), late)
      }
    }
    let haveArrived = try await transfers?.report() ?? true
    let status = try OutcomeReport(entry: entry, outcome: outcome, warnings: late.warnings)
      .deliver(late, types: stack.registry.types, to: invocation)
    return haveArrived ? status : .failure
  }
}
