import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import JSONRPC
import PropertyList

/// `host photo edit`: lets a Photo Editing extension edit a photo, and undoes it.
enum PhotoCommand: HostSubcommand {
  static let command = Command(
    "photo", summary: "Edit photos with a photo editing extension", example: "host photo edit beach.jpg",
    subcommands: [
      Command(
        "edit", summary: "Edit a photo; the original is kept and can be brought back with --revert",
        discussion: """
          Without -o the photo itself is replaced, at once or not at all. Editing an edited photo again takes the earlier \
          edit up when the extension can. What an extension's options are is its own business.
          """,
        example: "host photo edit beach.jpg --option tone=mono -o beach-mono.jpg",
        options: [
          .with, .value("output", short: "o", "FILE", "Write the edited photo to another file", values: .file),
          .value("option", "NAME=VALUE", "What to ask the editor for", isRepeatable: true),
          .flag("revert", "Bring the photo back as it was before its first edit"),
        ],
        arguments: [CommandArgument("FILE", "The photo", values: .file)])
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.parsed.path.count == 2 else {
      invocation.console.write(
        Help.page(invocation.parsed.commands, width: invocation.console.terminal.width ?? 80))
      return .usage
    }
    let path = invocation.parsed.argument("FILE") ?? ""
    let current = try InputFile.read(path, limit: PhotoLibrary.limit)
    let job = PhotoJob(
      invocation: invocation, path: path, current: current, library: PhotoLibrary(try invocation.state()))
    return try await invocation.parsed.flag("revert") ? job.revert() : job.edit()
  }
}

/// One run of `host photo edit`.
private struct PhotoJob {
  let invocation: Invocation
  let path: String
  let current: [UInt8]
  let library: PhotoLibrary

  private var output: String { invocation.parsed.value("output") ?? path }
  private var shown: String { output.escapedForTerminal }

  func revert() throws -> ExitStatus {
    guard let edit = try library.edit(of: current) else {
      throw ExtensionError(
        .editingFailed, "\(path.escapedForTerminal) was not edited here, or was changed by another program since.",
        recovery: "Only photos that “host photo edit” wrote can be brought back.")
    }
    try OutputFile.write(library.original(of: edit), to: output)
    report("Brought \(shown) back as it was before its first edit.") {
      $0["id"] = .string(edit.editor)
      $0["outcome"] = "reverted"
      $0["reverted"] = true
    }
    return .success
  }

  func edit() async throws -> ExitStatus {
    let earlier = try library.edit(of: current)
    let original = try earlier.map { try library.original(of: $0) }
    let options = try editorOptions()
    let stack = try HostStack(invocation)
    let entry = try chosen(in: stack.registry)
    let photo = EditablePhoto(
      current: current, original: original, adjustmentData: earlier?.adjustmentData, creationDate: modified)
    let edited = try await stack.host.withExtension(entry.identifier) { process in
      let editor = PhotoEditor(process, supportedMediaTypes: Self.mediaTypes(of: entry))
      let tookUp = try await editor.start(photo, options: options)
      if tookUp { invocation.console.note("\(entry.displayName) takes the earlier edit up.") }
      guard let edited = try await editor.finish() else { return nil as EditedPhoto? }
      do {
        try Task.checkCancellation()
        try library.keep(edited, of: original ?? current, by: entry.identifier)
        try OutputFile.write(edited.bytes, to: output)
      } catch {
        await editor.consumed(saved: false, error: ExtensionError(wrapping: error).message)
        throw error
      }
      await editor.consumed(saved: true)
      return edited
    }
    return report(edited, by: entry)
  }

  private func report(_ edited: EditedPhoto?, by entry: RegistryEntry) -> ExitStatus {
    guard let edited else {
      report("\(entry.displayName) had nothing to change.") {
        $0["id"] = .string(entry.identifier)
        $0["outcome"] = "unchanged"
      }
      return .success
    }
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
    return .success
  }

  private func report(_ sentence: String, _ fill: (inout JSONObject) -> Void) {
    guard invocation.wantsJSON else { return invocation.console.print(sentence) }
    var object = JSONObject()
    fill(&object)
    invocation.printJSON(.object(object))
  }

  private func editorOptions() throws(CommandLineError) -> [String: String] {
    var options: [String: String] = [:]
    for pair in invocation.parsed.values("option") {
      guard let split = pair.firstIndex(of: "="), split != pair.startIndex else {
        throw CommandLineError(
          "“\(pair.escapedForTerminal)” is not an option.", help: "Write NAME=VALUE, for example tone=mono.")
      }
      options[String(pair[..<split])] = String(pair[pair.index(after: split)...])
    }
    return options
  }

  /// The editor that the user names, or the only one there is.
  private func chosen(in registry: ExtensionRegistry) throws -> RegistryEntry {
    if let name = invocation.parsed.value("with") {
      let entry = try registry.enabledExtension(name)
      guard entry.point == .photoEditing else {
        throw ExtensionError(
          .pointDisallows, "\(name) is not for photo editing but for \(entry.point?.shortName ?? "no known point").",
          recovery: "Run \"host list --point photo\" to see the photo editors.")
      }
      return entry
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
