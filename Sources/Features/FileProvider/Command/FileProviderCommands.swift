package import CommandLineTool
package import CommandRuntime
package import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// File providers in the tool; `host documents` belongs to the pickers, which show their documents.
package enum FileProviderCommands: CommandFeature {
  package static let servers: [any LocalServer.Type] = [LocalFileServer.self]
  package static let tracedPoints: [ExtensionPoint] = [.fileProvider]

  /// Refuses: a provider works only for somebody who wants a document.
  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    throw ExtensionError.cannotTrace(
      entry, recovery: "Run \"host documents import DOCUMENT --trace FILE\" to record a file provider.")
  }
}

extension HostStack {
  var documents: FileProviderService { service() }
}
