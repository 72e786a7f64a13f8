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
      A decision stays with the identifier when versions change. use also approves what the newest version asks for; \
      ignore keeps an extension from being offered and started; default forgets the decision.
      """,
    example: "host elect ignore com.example.adventures.clock",
    arguments: [
      CommandArgument("DECISION", "use, ignore or default", values: .choices(["use", "ignore", "default"])),
      CommandArgument("ID", "The extensions", .some, values: .identifier),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let identifiers = invocation.parsed.arguments("ID")
    let decision = Election(rawValue: invocation.parsed.argument("DECISION") ?? "")
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
