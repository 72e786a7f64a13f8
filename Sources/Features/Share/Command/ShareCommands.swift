import CommandLineTool
package import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// Sharing in the tool.
package enum ShareCommands: CommandFeature {
  /// The command `host share`.
  package static let commands: [any HostSubcommand.Type] = [ShareCommand.self]

  /// Shares what the command line names with the extension.
  package static let traced: TracedRun? = TracedRun(.share) { entry, stack, invocation in
    let input = try SharedInput(invocation)
    let text = invocation.parsed.value("post") ?? invocation.parsed.value("text") ?? ""
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      return try await process.share([input.item], contentText: text, requests: stack.requests)
    }
    return outcome.note(entry, to: invocation)
  }
}
