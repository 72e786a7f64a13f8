package import CommandLineTool
import Contracts
package import ExtensionHosting
package import ExtensionProtocol
package import HostCLI
import HostServices

/// Today widgets in the tool.
package enum TodayCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [TodayCommand.self]
  package static let tracedPoints: [ExtensionPoint] = [.today]

  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let presentation = WidgetPresentation(wanted: .compact, fitsScreen: false)
    let update = await WidgetUpdate.run(entry, reason: .visible, in: presentation, on: stack)
    if let error = update.error { return Failure(error).print(to: invocation) }
    invocation.console.note("\(entry.displayName): \(update.state.outcome?.rawValue ?? "hidden").")
    return .success
  }
}
