import AppExtensions

/// A file provider whose documents are made when somebody reads them: put what fetches yours into `content`.
@main
struct __NAME__: FileProviderExtension {
  static func content(of path: String) -> [UInt8] { Array("This is \(path).\n".utf8) }

  func metadata(of item: ProvidedItem) async throws -> FileProvider.Metadata {
    let name = item.path.split(separator: "/").last.map(String.init) ?? item.path
    return FileProvider.Metadata(name: name, size: Int64(Self.content(of: item.path).count))
  }

  func startProviding(_ item: ProvidedItem) async throws {
    try await item.write { try $0.append(Self.content(of: item.path)) }
  }

  func itemChanged(_ item: ProvidedItem) async throws {
    // Send the document to where it comes from.
  }
}
