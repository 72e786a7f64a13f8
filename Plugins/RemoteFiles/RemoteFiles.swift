import AppExtensions

/// Documents that lie on a server until somebody wants them: a file provider, and the document picker that belongs to it.
/// The server's address is in the app's shared defaults, under `remotefiles.url`.
@main
struct RemoteFiles: FileProviderExtension, DocumentPickerExtension {
  var handlers: [SessionHandler] { providerHandlers + pickerHandlers }

  // MARK: - File provider

  func metadata(of item: ProvidedItem) async throws -> FileProvider.Metadata {
    let entry = try await RemoteFolder(item.context).entry(item.path)
    return FileProvider.Metadata(name: entry.name, size: entry.size)
  }

  func startProviding(_ item: ProvidedItem) async throws {
    let folder = try await RemoteFolder(item.context)
    let size = try await folder.entry(item.path).size
    try await item.write { writer in
      while writer.count < size {
        try writer.append(try await folder.part(of: item.path, from: writer.count))
        item.context.reportProgress(Double(writer.count), total: Double(size), message: item.path)
      }
    }
  }

  func itemChanged(_ item: ProvidedItem) async throws {
    try await RemoteFolder(item.context).upload(item)
  }

  // MARK: - Document picker

  func entries(
    in directory: String?, cursor: String?, for picker: PickerSession
  ) async throws -> DocumentPicker.List.Result {
    let (entries, next) = try await RemoteFolder(picker.context).list(directory ?? "", after: cursor)
    return DocumentPicker.List.Result(
      entries: entries.map { entry in
        DocumentPicker.Entry(
          identifier: directory.map { "\($0)/\(entry.name)" } ?? entry.name, name: entry.name,
          type: entry.isFolder ? "public.folder" : "public.data", size: entry.isFolder ? nil : entry.size)
      }, next: next)
  }

  func pick(_ identifier: String, for picker: PickerSession) async throws -> PickerGrant? {
    // A placeholder is enough: whoever reads the document has it fetched.
    try await picker.context.coordinate(identifier, for: .read, options: .init(metadataOnly: true)) {}
    return .document(identifier)
  }

  func save(to directory: String?, for picker: PickerSession) async throws -> PickerGrant? {
    let name = picker.originalName ?? "document"
    let path = directory.map { "\($0)/\(name)" } ?? name
    guard try await RemoteFolder(picker.context).has(path) == false else {
      throw ExtensionError.fileProvider(.filenameCollision, "There is a document “\(path)” on the server already.")
    }
    // The file provider hears of the new document, and uploads it.
    try await picker.copyOriginal(to: path)
    return .document(path)
  }
}
