import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// `host trace`: runs one extension and records every message.
enum TraceCommand: HostSubcommand {
  static let command = Command(
    "trace", summary: "Run an extension and record every message between it and the host",
    discussion: """
      A widget is updated, a share or an action gets what is named, a photo editor edits a copy of FILE that is then \
      thrown away, a keyboard types --text, and a document picker lists its documents. A file provider works for a \
      document picker: “host documents” records both with --trace.
      """,
    example: "host trace com.example.adventures.clock -o clock.ndjson",
    options: [
      .text, .url, .title, .config, .value("post", "TEXT", "The text of a share's post; --text when absent"),
      .value("output", short: "o", "FILE", "Write the recording to a file", values: .file),
    ],
    arguments: [
      CommandArgument("ID", "The extension to run", .required),
      CommandArgument("FILE", "Files to share, act on or edit; “-” is standard input", .any, values: .file),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let file = TraceFile(path: invocation.parsed.value("output"))
    guard let id = invocation.parsed.arguments("ID").first else {
      throw CommandLineError("There is no extension to run.", help: "Name one of those that \"host list\" shows.")
    }
    var invocation = invocation
    invocation.trace = file
    let outcome: Result<ExitStatus, any Error>
    do { outcome = .success(try await run(id, invocation)) } catch { outcome = .failure(error) }
    try file.write(for: invocation)
    return try outcome.get()
  }

  private static func run(_ id: String, _ invocation: Invocation) async throws -> ExitStatus {
    let stack = try HostStack(invocation)
    let entry = try stack.registry.enabledExtension(id)
    switch entry.point {
    case .today: return try await update(entry, on: stack, invocation)
    case .share, .action, .actionUI: return try await pass(SharedInput(invocation), to: entry, on: stack, invocation)
    case .photoEditing: return try await edit(entry, on: stack, invocation)
    case .keyboard: return try await type(entry, on: stack, invocation)
    case .documentPicker: return try await browse(entry, on: stack, invocation)
    default:
      throw ExtensionError(
        .pointDisallows, "\(id) is for \(entry.point?.shortName ?? "no known point"), which this command cannot run.",
        recovery: "Run \"host documents import DOCUMENT --trace FILE\" to record a file provider.")
    }
  }

  private static func update(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let room = WidgetPresentation(wanted: .compact, fitsScreen: false)
    let update = await WidgetUpdate.run(entry, reason: .visible, in: room, on: stack)
    if let error = update.error { return Failure(error).print(to: invocation) }
    invocation.console.note("\(entry.displayName.escapedForTerminal): \(update.state.outcome?.rawValue ?? "hidden").")
    return .success
  }

  private static func pass(
    _ input: SharedInput, to entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let text = invocation.parsed.value("post") ?? invocation.parsed.value("text") ?? ""
    let outcome = try await stack.host.withExtension(entry.identifier) { process in
      stack.items.offer(input.sources, to: process)
      guard entry.point == .share else { return try await process.perform([input.item], requests: stack.requests) }
      return try await process.share([input.item], contentText: text, requests: stack.requests)
    }
    switch outcome {
    case .completed(let items):
      invocation.console.note("\(entry.displayName.escapedForTerminal) completed with \(items.count) item(s).")
      return .success
    case .cancelled(let failure):
      invocation.console.note("\(entry.displayName.escapedForTerminal) cancelled: \(failure.domain) \(failure.code).")
      return .failure
    }
  }

  private static func edit(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
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
    invocation.console.note("\(entry.displayName.escapedForTerminal) \(what).")
    return .success
  }

  private static func type(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let keys = invocation.parsed.value("text") ?? ""
    let text = try await stack.withExtension(entry) { process in
      try await stack.keyboard.withSession(of: process, for: KeyboardField()) { session in
        for key in keys {
          if let failure = try await session.press(TypedLines.event(for: key)).failure { throw failure }
        }
        return session.document.text
      }
    }
    invocation.console.note("\(entry.displayName.escapedForTerminal) typed “\(text.escapedForTerminal)”.")
    return .success
  }

  private static func browse(
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
    invocation.console.note("\(entry.displayName.escapedForTerminal) listed \(count) document(s).")
    return .success
  }
}
