import CommandLineTool
package import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// Photo editing in the tool.
package enum PhotoEditingCommands: CommandFeature {
  /// The command `host photo`.
  package static let commands: [any HostSubcommand.Type] = [PhotoCommand.self]

  /// Edits the photo of the command line once with the extension.
  package static let traced: TracedRun? = TracedRun(.photoEditing) { entry, stack, invocation in
    guard let path = invocation.parsed.arguments("FILE").first else {
      throw CommandLineError("There is no photo to edit.", help: "Name one after the extension.")
    }
    let photo = EditablePhoto(current: try InputFile.read(path, limit: PhotoLibrary.limit))
    let edited = try await stack.withExtension(entry) { process in
      let editor = PhotoEditor(process)
      _ = try await editor.start(photo)
      let edited = try await editor.finish()
      if edited != nil { await editor.consumed(saved: false) }
      return edited
    }
    let what = edited.map { "made \($0.bytes.count) bytes of \($0.type)" } ?? "had nothing to change"
    invocation.console.note("\(entry.displayName) \(what).")
    return .success
  }
}
