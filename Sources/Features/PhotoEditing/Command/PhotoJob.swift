import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import JSON
import PropertyList
import Text

/// A run of `host photo edit`.
struct PhotoJob {
  let invocation: Invocation
  let path: String
  let current: [UInt8]
  let library: PhotoLibrary

  private var output: String { invocation.parsed.value("output") ?? path }
  private var shown: ShownText { "\(output)" }

  func revert() throws -> ExitStatus {
    guard let edit = try library.edit(of: current) else {
      throw ExtensionError(
        .editingFailed, "\(path.escapedForTerminal) was not edited here, or was changed by another program since.",
        recovery: "Only photos that “host photo edit” wrote can be brought back.")
    }
    try OutputFile.write(library.original(of: edit), to: output)
    report("Restored \(shown) from before its first edit.") {
      $0["id"] = .string(edit.editor)
      $0["outcome"] = "reverted"
      $0["reverted"] = true
    }
    return .success
  }

  /// - Parameter dialogue: where the user is asked before the edit is finished.
  func edit(asking dialogue: Dialogue?) async throws -> ExitStatus {
    let earlier = try library.edit(of: current)
    let original = try earlier.map { try library.original(of: $0) }
    let options = try editorOptions()
    let stack = try HostStack(invocation)
    let entry = try chosen(in: stack.registry)
    let photo = EditablePhoto(
      current: current, original: original, adjustmentData: earlier?.adjustmentData, creationDate: modified)
    let edited = try await stack.host.withExtension(entry.identifier) { process -> Outcome in
      let editor = PhotoEditor(process, supportedMediaTypes: Self.mediaTypes(of: entry))
      let tookUp = try await editor.start(photo, options: options)
      if tookUp { invocation.console.note("\(entry.displayName) takes the earlier edit up.") }
      if let dialogue, try await !wantsToFinish(editor, dialogue) {
        try await editor.cancel()
        return .cancelled
      }
      guard let edited = try await editor.finish() else { return .unchanged }
      do {
        try Task.checkCancellation()
        try library.keep(edited, of: original ?? current, by: entry.identifier)
        try OutputFile.write(edited.bytes, to: output)
      } catch {
        await editor.consumed(saved: false, error: ExtensionError(wrapping: error).message)
        throw error
      }
      await editor.consumed(saved: true)
      return .edited(edited)
    }
    return report(edited, by: entry)
  }

  private enum Outcome {
    case edited(EditedPhoto)
    case unchanged
    case cancelled
  }

  /// Asks the user, and asks again before work would be lost.
  private func wantsToFinish(_ editor: PhotoEditor, _ dialogue: Dialogue) async throws -> Bool {
    while true {
      guard let answer = try await dialogue.ask("Finish the edit? (y/n)") else { return false }
      if answer.lowercased().hasPrefix("y") { return true }
      guard answer.lowercased().hasPrefix("n") else { continue }
      guard await editor.shouldShowCancelConfirmation() else { return false }
      let sure = try await dialogue.ask("What you asked for would be lost. Cancel the edit? (y/n)")
      if sure?.lowercased().hasPrefix("y") ?? true { return false }
    }
  }

  private func report(_ outcome: Outcome, by entry: RegistryEntry) -> ExitStatus {
    switch outcome {
    case .edited(let photo): report(photo, by: entry)
    case .unchanged:
      report("\(entry.displayName) had nothing to change.") {
        $0["id"] = .string(entry.identifier)
        $0["outcome"] = "unchanged"
      }
    case .cancelled:
      report("The edit was cancelled; \(path) is unchanged.") {
        $0["id"] = .string(entry.identifier)
        $0["outcome"] = "cancelled"
      }
      return .failure
    }
    return .success
  }

  private func report(_ edited: EditedPhoto, by entry: RegistryEntry) {
    report("Wrote \(shown) (\(edited.bytes.count) bytes, \(edited.type)).") {
      $0["id"] = .string(entry.identifier)
      $0["outcome"] = "completed"
      $0["output"] = .string(output)
      $0["type"] = .string(edited.type)
      let data = edited.adjustmentData
      $0["adjustment"] = [
        "formatIdentifier": .string(data.formatIdentifier), "formatVersion": .string(data.formatVersion),
        "bytes": .integer(Int64(data.bytes?.count ?? 0)),
      ]
    }
    if !invocation.wantsJSON, output == path {
      invocation.console.note("The original is kept: “host photo edit \(shellWord(path)) --revert” brings it back.")
    }
  }

  private func report(_ sentence: ShownText, _ fill: (inout JSONObject) -> Void) {
    guard invocation.wantsJSON else { return invocation.console.print(sentence) }
    var object = JSONObject()
    fill(&object)
    invocation.printJSON(.object(object))
  }

  private func editorOptions() throws(CommandLineError) -> [String: String] {
    var options: [String: String] = [:]
    for text in invocation.parsed.values("option") {
      guard let pair = text.cut(at: "="), !pair.before.isEmpty else {
        throw CommandLineError(
          "“\(text.escapedForTerminal)” is not an option.", help: "Write NAME=VALUE, for example tone=mono.")
      }
      options[String(pair.before)] = String(pair.behind)
    }
    return options
  }

  /// The editor that the user names, or the only one there is.
  private func chosen(in registry: ExtensionRegistry) throws -> RegistryEntry {
    if let name = invocation.parsed.value("with") {
      return try registry.enabledExtension(name, at: .photoEditing)
    }
    let entries = registry.extensions(at: .photoEditing)
    if entries.count == 1 { return entries[0] }
    guard entries.isEmpty else {
      throw CommandLineError(
        "Several extensions edit photos: \(entries.map(\.identifier).joined(separator: ", ")).",
        help: "Choose one with --with ID.")
    }
    throw ExtensionError(
      .extensionUnknown, "There is no extension that edits photos.",
      recovery: "Run \"host list --point photo\" to see those that are there and why they are not enabled.")
  }

  /// `PHSupportedMediaTypes`; images when the manifest names none.
  private static func mediaTypes(of entry: RegistryEntry) -> [String] {
    guard case .array(let types)? = entry.manifest?.attributes["PHSupportedMediaTypes"] else { return ["Image"] }
    return types.compactMap { if case .string(let type) = $0 { type } else { nil } }
  }

  private var modified: Double? {
    var info = stat()
    return stat(path, &info) == 0 ? Double(info.st_mtim.tv_sec) : nil
  }
}
