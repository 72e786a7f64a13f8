import Activation
import Contracts
import ExtensionProtocol
import HostServices

/// What a user wants to hand to an extension: as an item, and as what the extension may load.
struct SharedDraft: Sendable {
  private(set) var item: ExtensionItem
  private(set) var sources: [String: ItemService.Source] = [:]
  private(set) var bytes: [String: [UInt8]] = [:]
  /// The bytes of all attachments.
  private(set) var size = 0

  /// - Parameters:
  ///   - text: a text; empty for none.
  ///   - url: a web address; empty for none.
  ///   - files: files with their names.
  ///   - types: the known types of files.
  /// - Throws: `invalidParams` when there is nothing, or the address is none.
  init(text: String, url: String, files: [MultipartForm.File], types: TypeGraph) throws(ExtensionError) {
    item = ExtensionItem()
    if !text.isEmpty {
      item.attributedContentText = text
      add(Array(text.utf8), types: ["public.utf8-plain-text", "public.plain-text"], name: nil)
    }
    if !url.isEmpty {
      guard let scheme = URLScheme.of(url), scheme != "file" else {
        throw ExtensionError(
          .invalidParams, "“\(url)” is not a web address.", recovery: "Write it with its scheme, for example https://…."
        )
      }
      item.attachments.append(.url(url, itemID: "a\(item.attachments.count + 1)"))
    }
    for file in files { add(file.bytes, types: Self.types(of: file, in: types), name: file.name) }
    if item.attachments.isEmpty {
      throw ExtensionError(
        .invalidParams, "There is nothing to hand over.", recovery: "Write a text or an address, or choose a file.")
    }
  }

  private mutating func add(_ bytes: [UInt8], types: [String], name: String?) {
    let id = "a\(item.attachments.count + 1)"
    var provider = ItemProvider(
      itemID: id, registeredTypeIdentifiers: types, suggestedName: name, estimatedSize: bytes.count)
    if bytes.count < ItemProvider.inlineLimit {
      provider.inline = ItemProvider.Inline(type: types.first ?? "public.data", bytes: bytes)
    }
    self.bytes[id] = bytes
    size += bytes.count
    sources[id] = ItemService.Source(bytes: bytes, typeIdentifiers: types, suggestedName: name)
    item.attachments.append(provider)
  }

  /// The types of a file by the end of its name, else by whether it is text.
  private static func types(of file: MultipartForm.File, in types: TypeGraph) -> [String] {
    let suffix = file.name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last.map(String.init)
    if let type = suffix.flatMap({ types.type(forFilenameExtension: $0) }) { return [type] }
    let isText = !file.bytes.contains(0) && String(validating: file.bytes, as: UTF8.self) != nil
    return isText ? ["public.utf8-plain-text", "public.plain-text"] : ["public.data"]
  }
}
