package import CommandLineTool
package import CommandRuntime
import Contracts
package import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// Document pickers, and the documents that they lead to, in the tool.
package enum DocumentPickerCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [DocumentsCommand.self]
  package static let tracedPoints: [ExtensionPoint] = [.documentPicker]

  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let modes = entry.manifest.map { PickerOffer($0).modes } ?? []
    guard let mode = modes.first(where: { !$0.isSaving }) else {
      throw ExtensionError(
        .pointDisallows, "\(entry.identifier) only takes documents, and lists none.",
        recovery: "Run \"host documents export FILE --trace FILE\" to record it.")
    }
    let count = try await stack.withExtension(entry) { process in
      try await process.presentPicker(PickerTerms(mode), service: stack.picker) { try await $0.entries().count }
    }
    invocation.console.note("\(entry.displayName) listed \(count) document(s).")
    return .success
  }
}

extension HostStack {
  var picker: DocumentPickerService { service() }
}
