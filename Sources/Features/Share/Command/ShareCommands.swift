package import CommandLineTool
package import CommandRuntime
package import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// Sharing in the tool.
package enum ShareCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [ShareCommand.self]
  package static let tracedPoints: [ExtensionPoint] = [.share]

  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let input = try SharedInput(invocation)
    let text = invocation.parsed.value("post") ?? invocation.parsed.value("text") ?? ""
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.share([input.item], contentText: text, requests: stack.requests)
    }
    return outcome.note(entry, to: invocation)
  }
}
