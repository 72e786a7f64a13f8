import CommandLineTool
package import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// Document pickers, and the documents that they lead to, in the tool.
package enum DocumentPickerCommands: CommandFeature {
  /// The command `host documents`.
  package static let commands: [any HostSubcommand.Type] = [DocumentsCommand.self]

  /// Presents the picker and counts the documents that it lists; refuses one that only exports or moves documents.
  package static let traced: TracedRun? = TracedRun(.documentPicker) { entry, stack, invocation in
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
