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

/// A user's input for a share or an action (files, a text, a web address), both as items for an extension and in the
/// form that activation rules read.
struct SharedInput {
  private(set) var item: ExtensionItem
  /// The attachments that an extension may load, by `itemID`.
  private(set) var sources: [String: ItemService.Source] = [:]
  /// The attachments' values, by `itemID`.
  private(set) var bytes: [String: [UInt8]] = [:]
  private(set) var attachments: [ActivationAttachment] = []
  private let types: TypeGraph
  /// The dictionary of `--page`.
  private(set) var pageResults: JSONObject?

  private static let fileURL = "public.file-url"
  /// The largest input, in bytes.
  static let limit = 64 << 20

  /// - Throws: a usage error without any input, `noInput` when a file cannot be read.
  init(_ invocation: Invocation) throws {
    let parsed = invocation.parsed
    types = try invocation.registry().types
    item = ExtensionItem(title: parsed.value("title"))
    if let text = parsed.value("text") { try add(text: text) }
    if let url = parsed.value("url") { try add(url: url) }
    if let page = parsed.value("page") { try add(page: page) }
    for path in parsed.arguments("FILE") { try add(file: path) }
    if attachments.isEmpty {
      throw CommandLineError(
        "There is nothing to pass on.", help: "Give a FILE, --text TEXT or --url URL; FILE “-” reads standard input.")
    }
  }

  /// The item as activation rules see it.
  var activationItem: ActivationItem {
    ActivationItem(
      title: item.attributedTitle, contentText: item.attributedContentText, attachments: attachments)
  }

  private mutating func add(text: String) throws {
    if item.attributedContentText == nil { item.attributedContentText = text }
    try add(Array(text.utf8), types: ["public.utf8-plain-text", "public.plain-text"], name: nil, isFile: false)
  }

  private mutating func add(url: String) throws {
    guard let scheme = URLScheme.of(url) else {
      throw CommandLineError(
        "“\(url.escapedForTerminal)” is not a URL.", help: "Write it with its scheme, for example https://example.com.")
    }
    if scheme == "file" { return try add(file: FileURL(url)) }
    item.attachments.append(.url(url, itemID: nextID))
    attachments.append(ActivationAttachment(["public.url"], urlScheme: scheme))
  }

  /// Adds the file with the results of a web page's preprocessing.
  private mutating func add(page path: String) throws {
    let bytes = try InputFile.read(path, limit: Self.limit)
    guard let results = (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.objectValue else {
      throw ExtensionError(
        .invalidParams, "\(path) is not a JSON object.",
        recovery: "Give --page a file such as {\"title\": \"…\", \"URL\": \"https://…\"}.")
    }
    let provider = ItemProvider.pageResults(results, itemID: nextID)
    pageResults = results
    let text = Array((provider.inline?.value ?? "").utf8)
    sources[nextID] = ItemService.Source(bytes: text, typeIdentifiers: [PageResults.type], suggestedName: nil)
    item.attachments.append(provider)
    attachments.append(ActivationAttachment([PageResults.type], isPageResult: true))
  }

  private mutating func add(file path: String) throws {
    let bytes = try InputFile.read(path, limit: Self.limit)
    if path == "-" {
      return try add(bytes, types: ["public.utf8-plain-text", "public.plain-text"], name: nil, isFile: false)
    }
    let name = Folder.name(of: path)
    try add(bytes, types: InputFile.types(of: name, bytes, in: types), name: name, isFile: true)
  }

  /// A file by its address: an attachment of the file's type, which is a file URL as well.
  private mutating func add(file url: FileURL) throws {
    let name = Folder.name(of: url.path)
    let bytes = try InputFile.read(url.path, limit: Self.limit)
    try add(bytes, types: InputFile.types(of: name, bytes, in: types), name: name, isFile: true, url: url)
  }

  private var nextID: String { "a\(item.attachments.count + 1)" }

  private mutating func add(
    _ bytes: [UInt8], types: [String], name: String?, isFile: Bool, url: FileURL? = nil
  ) throws {
    let id = nextID
    let types = types + (url == nil ? [] : [Self.fileURL])
    var provider = ItemProvider(
      itemID: id, registeredTypeIdentifiers: types, suggestedName: name, estimatedSize: bytes.count)
    if bytes.count < ItemProvider.inlineLimit {
      provider.inline = ItemProvider.Inline(type: types.first ?? "public.data", bytes: bytes)
    }
    self.bytes[id] = bytes
    sources[id] = ItemService.Source(typeIdentifiers: types, suggestedName: name) { type, _ in
      if let url, type == Self.fileURL { Array(url.text.utf8) } else { bytes }
    }
    item.attachments.append(provider)
    attachments.append(ActivationAttachment(types, isFile: isFile))
  }
}
