import Text
public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import Files
import Glibc
import PropertyList

extension ExtensionContext {
  /// The bytes of an attachment, in a type that conforms to the one asked for.
  ///
  /// - Parameters:
  ///   - attachment: one of this request's.
  ///   - type: a uniform type identifier, for example `public.text`.
  /// - Throws: `framework` with `NSItemProviderErrorDomain` when there is no such representation.
  public func data(of attachment: ItemProvider, as type: String = "public.data") async throws(ExtensionError) -> [UInt8]
  {
    if let inline = attachment.inline, attachment.registeredTypeIdentifiers.count == 1 || type == inline.type {
      return try inline.bytes()
    }
    let loaded = try await call(Items.Load(requestID: requestID, itemID: attachment.itemID, typeIdentifier: type))
    return try bytes(of: loaded)
  }

  /// Returns the value of an answer, inline or from its file.
  func bytes(of loaded: Items.Load.Result) throws(ExtensionError) -> [UInt8] {
    if let inline = loaded.inline { return try inline.bytes() }
    return try read(path(of: loaded))
  }

  /// The absolute path of a loaded file.
  func path(of loaded: Items.Load.Result) throws(ExtensionError) -> String {
    guard let path = loaded.path, let scratch = host?.directories.scratch else {
      throw ExtensionError(.internalError, "The host's answer to item/load has neither a value nor a path.")
    }
    return "\(scratch)/\(path)"
  }

  /// The text of an attachment.
  ///
  /// - Throws: as ``data(of:as:)``.
  public func text(of attachment: ItemProvider) async throws(ExtensionError) -> String {
    if let inline = attachment.inline, inline.encoding == nil { return inline.value }
    return String(decoding: try await data(of: attachment, as: "public.text"), as: UTF8.self)
  }

  /// The bytes of a file that the host put into a directory of this extension.
  func read(_ path: String) throws(ExtensionError) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ExtensionError(.handlerFailed, "Cannot open \(path): \(SystemError.last).")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else {
        throw ExtensionError(.handlerFailed, "Cannot read \(path): \(SystemError.last).")
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

extension ItemProvider.Inline {
  /// The value as bytes.
  package func bytes() throws(ExtensionError) -> [UInt8] {
    guard encoding == "base64" else { return Array(value.utf8) }
    guard let bytes = Base64.decode(value) else {
      throw ExtensionError(.invalidParams, "The inline value of type \(type) is not base64.")
    }
    return bytes
  }
}
