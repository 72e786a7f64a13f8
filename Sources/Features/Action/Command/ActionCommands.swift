package import CommandLineTool
package import CommandRuntime
package import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// Actions in the tool.
package enum ActionCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [ActionCommand.self]
  package static let tracedPoints: [ExtensionPoint] = [.action, .actionUI]

  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let input = try SharedInput(invocation)
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.perform([input.item], requests: stack.requests)
    }
    return outcome.note(entry, to: invocation)
  }
}
