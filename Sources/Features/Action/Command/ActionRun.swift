import Activation
import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import PropertyList

/// One run of an Action extension, from its input to the combined result.
struct ActionRun {
  let entry: RegistryEntry
  let invocation: Invocation
  let stack: HostStack

  /// - Parameter dialogue: with a user, an action with a user interface is asked about before its result is used.
  func run(_ input: SharedInput, _ dialogue: Dialogue?) async throws -> ExitStatus {
    let types = invocation.parsed.values("accept")
    let acceptableTypes = types.isEmpty ? nil : types
    var (outcome, late) = try await stack.withExtension(entry) { process in
      stack.items.offer(input.sources, to: process)
      var late = LateAttachments(of: input)
      let outcome = try await process.perform(
        [input.item], pageResults: input.pageResults, requests: stack.requests,
        terms: RequestService.Terms(invocation, acceptableTypes: acceptableTypes), show: show
      ) { items, requestID in
        // What a viewer returns is dropped.
        if role == .viewer { return items }
        return try await late.fetch(for: items, of: process) { attachment, limit throws(ExtensionError) in
          try await process.bytes(of: attachment, requestID: requestID, limit: limit)
        }
      }
      return (outcome, late)
    }
    if case .completed = outcome, entry.point == .actionUI, let dialogue {
      outcome = try await confirm(outcome, dialogue)
    }
    var warnings: [String] = []
    if case .completed(let items) = outcome {
      let returned = ReturnedItems(
        input: [input.item], returned: items, role: role, acceptableTypes: acceptableTypes,
        conforms: { stack.registry.types.conforms($0, to: $1) })
      outcome = .completed(returned.items)
      warnings = returned.warnings + late.warnings
    }
    return try OutcomeReport(entry: entry, outcome: outcome, warnings: warnings)
      .deliver(late, types: stack.registry.types, to: invocation)
  }

  private var role: Action.Role? {
    guard case .string(let name) = entry.manifest?.attributes["NSExtensionServiceRoleType"] else { return nil }
    return Action.Role(rawValue: name)
  }

  /// The view stands apart from the result: on standard error.
  private func show(_ view: WidgetView) {
    guard entry.point == .actionUI else { return }
    let console = invocation.console
    let presentation = WidgetPresentation(wanted: .expanded, fitsScreen: false)
    console.note(console.errorTerminal.styled("\(entry.displayName)", .cyan))
    for line in WidgetText(view, in: .expanded, presentation.maximumSize(for: .expanded)).lines(
      for: console.errorTerminal)
    {
      console.note(line)
    }
  }

  private func confirm(_ outcome: RequestService.Outcome, _ dialogue: Dialogue) async throws -> RequestService.Outcome {
    let answer = try await dialogue.ask("Use the result? [Y/n]")
    guard let answer, !["n", "no"].contains(answer.lowercased()) else { return .cancelled(.userCancelled) }
    return outcome
  }
}
