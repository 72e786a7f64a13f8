import Activation
import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HostServices
import JSON
import JSONRPC

/// A run of `host documents`.
struct DocumentsJob {
  let invocation: Invocation
  let stack: HostStack

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    stack = try HostStack(invocation)
  }

  // MARK: - Commands

  func list() async throws {
    let picker = try picker(for: [.open, .import])
    let directory = invocation.parsed.argument("DIRECTORY")
    let mode: DocumentPicker.Mode = offer(of: picker).modes.contains(.open) ? .open : .import
    let entries = try await present(PickerTerms(mode), of: picker) { picker, _ in
      try await picker.entries(in: directory)
    }
    guard invocation.wantsJSON else {
      var table = TextTable([.init("NAME"), .init("KIND"), .init("BYTES", .right), .init("IDENTIFIER")])
      for entry in entries {
        let isFolder = stack.registry.types.conforms(entry.type, to: "public.directory")
        table.add([
          TextTable.Cell(entry.name), TextTable.Cell(isFolder ? "folder" : entry.type),
          TextTable.Cell(entry.size.map { "\($0)" } ?? ""), TextTable.Cell(entry.identifier),
        ])
      }
      return entries.isEmpty ? invocation.console.note("There is nothing here.") : invocation.console.print(table)
    }
    report(picker, ["entries": .array(try entries.map { try JSONCoding.value(of: $0) })])
  }

  func `import`() async throws {
    let identifier = invocation.parsed.argument("ID") ?? ""
    let types = invocation.parsed.values("type")
    let picker = try picker(for: [.import], types: types)
    let (name, bytes) = try await present(PickerTerms(.import, validTypes: types), of: picker) { picker, documents in
      switch try await picker.select(identifier) {
      case .copy(let name, let bytes): return (name, bytes)
      case .document(let path):
        guard let documents else { throw Self.noProvider }
        let shown = ShownProgress("\(path)", invocation)
        defer { shown.finish() }
        return (DocumentPath.name(of: path), try await documents.read(path) { shown.show($0) })
      case .handedOver, nil: throw Self.cancelled
      }
    }
    // The file has the name that the user asked with; the picker has no say in it.
    let chosen = ForeignName.safe(identifier)
    let output = invocation.parsed.value("output") ?? chosen
    if invocation.parsed.value("output") != nil {
      try OutputFile.write(bytes, to: output)
    } else {
      try OutputFile.writeNew(bytes, to: output)
      if name != chosen { invocation.console.note("The document picker calls it “\(name)”.") }
    }
    say("Wrote \(output) (\(bytes.count) bytes).")
    report(picker, ["outcome": "completed", "output": .string(output), "bytes": .integer(Int64(bytes.count))])
  }

  func open() async throws {
    let identifier = invocation.parsed.argument("ID") ?? ""
    let types = invocation.parsed.values("type")
    let picker = try picker(for: [.open], types: types)
    try await present(PickerTerms(.open, validTypes: types), of: picker) { shown, documents in
      guard let documents else { throw Self.noProvider }
      guard case .document(let path)? = try await shown.select(identifier) else { throw Self.cancelled }
      let progress = ShownProgress("\(path)", invocation)
      defer { progress.finish() }
      let changed = try await documents.update(path, onProgress: { progress.show($0) }) { bytes in
        progress.finish()
        let copy = try WorkingCopy(of: path, bytes, in: stack.state)
        defer { copy.remove() }
        report(picker, ["path": .string(path), "file": .string(copy.path)])
        if let command = invocation.parsed.value("edit") {
          try await copy.edit(with: command, invocation)
        } else {
          say("\(copy.path)")
          try await copy.keepUntilInputEnds(invocation)
        }
        let new = try copy.read()
        return new == bytes ? nil : new
      }
      try await documents.settle()
      if changed { invocation.console.note("Wrote \(path) back.") }
    }
  }

  func save(_ mode: DocumentPicker.Mode) async throws {
    let file = invocation.parsed.argument("FILE") ?? ""
    let bytes = try InputFile.read(file, limit: DocumentStorage.limit)
    let name = DocumentPath.name(of: file)
    let picker = try picker(for: [mode], types: [stack.registry.types.type(forFileNamed: name)])
    let terms = PickerTerms(mode, original: PickerTerms.Original(name: name, bytes: bytes))
    let granted = try await present(terms, of: picker) { picker, documents in
      let granted = try await picker.save(to: invocation.parsed.value("to") ?? "")
      // Before the file goes, its provider has to have it.
      try await documents?.settle()
      return granted
    }
    var object: JSONObject = ["outcome": "completed"]
    switch granted {
    case .document(let path):
      guard unlink(file) == 0 else {
        throw OutputError(message: "The document was moved, but \(file) cannot be removed: \(errorText).")
      }
      object["path"] = .string(path)
      say("Moved \(file) to \(path).")
    case .handedOver(let name):
      object["name"] = .string(name)
      say("Exported \(file) as \(name).")
    case .copy, nil: throw Self.cancelled
    }
    report(picker, object)
  }

  // MARK: - Extensions

  private func offer(of entry: RegistryEntry) -> PickerOffer {
    entry.manifest.map { PickerOffer($0) } ?? PickerOffer(modes: [], types: [])
  }

  /// The picker that the user names, or the only one with a mode that takes the types.
  private func picker(for modes: [DocumentPicker.Mode], types: [String] = []) throws -> RegistryEntry {
    let graph = stack.registry.types
    func takes(_ entry: RegistryEntry) -> Bool {
      let offer = offer(of: entry)
      return modes.contains { offer.modes.contains($0) } && offer.takes(types) { graph.conforms($0, to: $1) }
    }
    if let name = invocation.parsed.value("with") {
      let entry = try stack.registry.enabledExtension(name)
      guard entry.point == .documentPicker, takes(entry) else {
        let wanted = modes.map(\.rawValue).joined(separator: " or ")
        throw ExtensionError.document(.modeSupported, "\(name) is not a document picker that can \(wanted) this.")
      }
      return entry
    }
    let entries = stack.registry.extensions(at: .documentPicker).filter(takes)
    if entries.count == 1 { return entries[0] }
    guard entries.isEmpty else {
      throw CommandLineError(
        "Several document pickers take this: \(entries.map(\.identifier).joined(separator: ", ")).",
        help: "Choose one with --with ID.")
    }
    throw ExtensionError(
      .extensionUnknown, "There is no document picker for this.",
      recovery: "Run \"host list --point picker\" to see those that are there.")
  }

  /// Starts a picker, and the file provider of its app when there is one, and shows the picker.
  private func present<Result: Sendable>(
    _ terms: PickerTerms, of picker: RegistryEntry,
    _ body: (PresentedPicker, FileCoordinator?) async throws -> Result
  ) async throws -> Result {
    let providers = stack.registry.extensions(at: .fileProvider)
    let provider = providers.first { $0.containingApp == picker.containingApp && $0.isEnabled }
    guard let provider, provider.manifest?.fileProviderDocumentGroup != nil else {
      return try await stack.withExtension(picker) { process in
        try await process.presentPicker(terms, service: stack.picker) { try await body($0, nil) }
      }
    }
    return try await stack.withExtension(provider) { provider in
      try await stack.documents.withDocuments(of: provider.caller.identity, provider: provider) { documents in
        try await stack.withExtension(picker) { process in
          try await process.presentPicker(terms, service: stack.picker) { try await body($0, documents) }
        }
      }
    }
  }

  // MARK: - What the user sees

  private func say(_ line: ShownText) {
    if !invocation.wantsJSON { invocation.console.print(line) }
  }

  private func report(_ picker: RegistryEntry, _ members: JSONObject) {
    guard invocation.wantsJSON else { return }
    var object: JSONObject = ["id": .string(picker.identifier)]
    for (key, value) in members { object[key] = value }
    invocation.printJSON(.object(object))
  }

  private static let noProvider = ExtensionError.fileProvider(
    .providerNotFound, "The document picker's app has no file provider.")
  private static let cancelled = ExtensionError(.cancelled, "The document picker was cancelled.")

  private var errorText: String { SystemError.last.description }
}
