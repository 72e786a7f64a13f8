import AppExtensions
import ExtensionTesting
import Foundation
import HostServices
import Synchronization

/// A file provider and document picker that does what a test tells it, and remembers what it was asked.
struct DocumentProbe: FileProviderExtension, DocumentPickerExtension {
  struct Script: Sendable {
    var metadata: @Sendable (ProvidedItem) async throws -> FileProvider.Metadata = {
      FileProvider.Metadata(name: $0.path, size: 5)
    }
    var start: @Sendable (ProvidedItem) async throws -> Void = { item in
      try await item.write { try $0.append(Array("hello".utf8)) }
    }
    var changed: @Sendable (ProvidedItem) async throws -> Void = { _ in }
    var stopped: @Sendable (ProvidedItem) -> Void = { _ in }
    var path: @Sendable (String) -> String? = { $0 }
    var prepare: @Sendable (PickerSession) async throws -> Void = { _ in }
    var list: @Sendable (String?, String?) async throws -> DocumentPicker.List.Result = { _, _ in .init(entries: []) }
    var pick: @Sendable (String, PickerSession) async throws -> PickerGrant? = { id, _ in .document(id) }
    var save: @Sendable (String?, PickerSession) async throws -> PickerGrant? = { _, _ in nil }
  }

  /// What was called, in order.
  final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @TaskLocal static var script = Script()
  @TaskLocal static var journal = Journal()
  private let script = Self.script
  private let journal = Self.journal

  var handlers: [SessionHandler] { providerHandlers + pickerHandlers }

  func metadata(of item: ProvidedItem) async throws -> FileProvider.Metadata {
    journal.add("placeholder \(item.path)")
    return try await script.metadata(item)
  }
  func startProviding(_ item: ProvidedItem) async throws {
    journal.add("start \(item.path)")
    try await script.start(item)
  }
  func itemChanged(_ item: ProvidedItem) async throws {
    journal.add("changed \(item.path) by \(item.purposeIdentifier ?? "-")")
    try await script.changed(item)
  }
  func stopProviding(_ item: ProvidedItem) async throws {
    journal.add("stop \(item.path)")
    try item.deleteContent()
    script.stopped(item)
  }
  func path(forIdentifier identifier: String) async throws -> String? { script.path(identifier) }
  func prepare(_ picker: PickerSession) async throws { try await script.prepare(picker) }
  func entries(
    in directory: String?, cursor: String?, for picker: PickerSession
  ) async throws -> DocumentPicker.List.Result { try await script.list(directory, cursor) }
  func pick(_ identifier: String, for picker: PickerSession) async throws -> PickerGrant? {
    try await script.pick(identifier, picker)
  }
  func save(to directory: String?, for picker: PickerSession) async throws -> PickerGrant? {
    try await script.save(directory, picker)
  }
}

/// A host with document services, a folder of its own, and the probe as the provider and the picker of one app.
final class DocumentStage: Sendable {
  static let group = "group.com.example.test"
  let folder: URL
  let state: StateDirectory
  let requests = RequestService()
  let documents: FileProviderService
  let picker: DocumentPickerService
  let journal = DocumentProbe.Journal()
  let script: DocumentProbe.Script

  init(
    _ script: DocumentProbe.Script = .init(),
    times: FileCoordinator.Times = FileCoordinator.Times(), hasStorage: Bool = true
  ) throws {
    self.script = script
    folder = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    state = StateDirectory(path: folder.path)
    documents = FileProviderService(state: state, times: times) { _ in
      hasStorage ? FileProviderService.App(group: Self.group, providerIdentifier: "com.example.test") : nil
    }
    picker = DocumentPickerService(
      requests: requests, documents: documents, type: { $0.hasSuffix(".txt") ? "public.plain-text" : "public.data" },
      conforms: { $0 == $1 || $1 == "public.data" })
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var host: TestHost { TestHost(services: [requests, documents, picker], state: state) }

  /// Where the documents lie.
  var storage: URL { folder.appending(path: "groups/\(Self.group)/File Provider Storage") }

  func text(_ path: String) -> String? { try? String(contentsOf: storage.appending(path: path), encoding: .utf8) }

  func put(_ text: String, at path: String) throws {
    let file = storage.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func withProvider<Result: Sendable>(
    _ body: @Sendable (FileCoordinator, ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    try await DocumentProbe.$script.withValue(script) {
      try await DocumentProbe.$journal.withValue(journal) {
        try await host.withExtension(DocumentProbe.self, identity: .testing(point: .fileProvider)) { process in
          try await documents.withDocuments(of: process.caller.identity, provider: process) {
            try await body($0, process)
          }
        }
      }
    }
  }

  func withPicker<Result: Sendable>(
    _ terms: PickerTerms, _ body: @Sendable (PresentedPicker) async throws -> Result
  ) async throws -> Result {
    try await DocumentProbe.$script.withValue(script) {
      try await DocumentProbe.$journal.withValue(journal) {
        try await host.withExtension(DocumentProbe.self, identity: .testing(point: .documentPicker)) { process in
          try await process.presentPicker(terms, service: picker, body)
        }
      }
    }
  }
}

/// The error that a body throws.
func refusal(_ body: () async throws -> Void) async -> ExtensionError? {
  do {
    try await body()
    return nil
  } catch { return ExtensionError(wrapping: error) }
}
