import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host elect`: whether an extension is used.
enum ElectCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "elect", summary: "Decide whether extensions are used",
    discussion: """
      The decision is written after the extensions; before them it is understood too. It belongs to the identifier and \
      stays when the version changes. use also approves what the newest \
      version asks for, ignore means that the extension is neither offered nor started, and default removes the \
      decision.
      """,
    example: "host elect com.example.adventures.clock ignore",
    arguments: [
      CommandArgument("ID", "The extensions", .some, values: .identifier),
      CommandArgument("DECISION", "use, ignore or default", values: .suggestions(decisions)),
    ]
  ).alsoTried(as: "enable", "disable", "ignore", "use")

  private static let decisions = ["use", "ignore", "default"]

  /// The extensions and the decision about them, whichever was written first: an identifier has a full stop, and a
  /// decision has none.
  private static func parts(of parsed: ParsedCommand) throws(CommandLineError) -> (ids: [String], decision: String) {
    let words = parsed.arguments("ID") + parsed.arguments("DECISION")
    if let last = words.last, decisions.contains(last) { return (Array(words.dropLast()), last) }
    if let first = words.first, decisions.contains(first) { return (Array(words.dropFirst()), first) }
    let odd = words.last { !$0.contains(".") } ?? words.last ?? ""
    throw CommandLineError(
      "“\(odd.escapedForTerminal)” is not a value for DECISION.",
      help: didYouMean(nearMisses(of: odd, in: decisions)) ?? "It takes one of: \(decisions.joined(separator: ", ")).")
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let (identifiers, word) = try parts(of: invocation.parsed)
    let decision = Election(rawValue: word)
    let registry = try invocation.registry()
    for identifier in identifiers where registry.entry(identifier) == nil {
      throw ExtensionError(
        .extensionUnknown, "No extension is called “\(identifier)”.",
        recovery: didYouMean(registry.nearMisses(of: identifier)))
    }
    try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      for identifier in identifiers {
        record.elect(decision, for: identifier)
        guard decision == .use, let newest = registry.newest(identifier) else { continue }
        record.approve(newest.capabilities, for: identifier)
      }
    }
    let now = try invocation.registry()
    let entries = identifiers.compactMap { identifier in
      now.entry(identifier).flatMap { $0.isEnabled ? $0 : now.newest(identifier) ?? $0 }
    }
    if invocation.wantsJSON {
      invocation.printJSON(.array(entries.map(RegistryState.document)))
    } else {
      RegistryState.print(entries, to: invocation.console)
    }
    return .success
  }
}
