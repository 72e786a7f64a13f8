public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import Glibc

/// An attachment of a request, loaded in the type that one wants (`NSItemProvider`). The best match is the first registered
/// type that conforms to it.
extension ItemProvider {
  /// Whether the attachment can be loaded in a type.
  ///
  /// - Throws: `framework` with `NSItemProviderErrorDomain` when there is no such attachment; `requestUnknown` when the
  ///   request has ended.
  public func hasItemConforming(to type: String, in context: ExtensionContext) async throws(ExtensionError) -> Bool {
    try await context.call(
      Items.HasConforming(requestID: context.requestID, itemID: itemID, typeIdentifier: type)
    ).value
  }

  /// The bytes.
  ///
  /// - Throws: `framework` with `NSItemProviderErrorDomain`; `requestUnknown` when the request has ended.
  public func loadData(for type: String, in context: ExtensionContext) async throws(ExtensionError) -> [UInt8] {
    try await context.data(of: self, as: type)
  }

  /// The value, made from another type when it has to be: an address gives its file, bytes that are a picture give one.
  ///
  /// - Parameters:
  ///   - type: the uniform type identifier that is wanted.
  ///   - context: of the request that the attachment came with.
  ///   - preferredImageSize: a wish for pictures, in pixels.
  /// - Returns: the registered type, or the one it was turned into, and the bytes.
  /// - Throws: `framework` with `NSItemProviderErrorDomain` when the value cannot be had in that type; `requestUnknown`
  ///   when the request has ended.
  public func loadItem(
    for type: String, in context: ExtensionContext, preferredImageSize: Items.Options.Size? = nil
  ) async throws(ExtensionError) -> (type: String, bytes: [UInt8]) {
    let options = preferredImageSize.map { Items.Options(preferredImageSize: $0) }
    let loaded = try await context.call(
      Items.Load(
        requestID: context.requestID, itemID: itemID, typeIdentifier: type, representation: .item, options: options))
    return (loaded.typeIdentifier, try context.bytes(of: loaded))
  }

  /// A small picture of the value, for a list or a sheet.
  ///
  /// - Parameters:
  ///   - context: of the request that the attachment came with.
  ///   - preferredImageSize: a wish, in pixels.
  /// - Returns: the picture's type and its bytes.
  /// - Throws: `framework` with `NSItemProviderErrorDomain` when there is none.
  public func loadPreviewImage(
    in context: ExtensionContext, preferredImageSize: Items.Options.Size? = nil
  ) async throws(ExtensionError) -> (type: String, bytes: [UInt8]) {
    let options = preferredImageSize.map { Items.Options(preferredImageSize: $0) }
    let loaded = try await context.call(
      Items.Load(
        requestID: context.requestID, itemID: itemID, typeIdentifier: "public.image", representation: .preview,
        options: options))
    return (loaded.typeIdentifier, try context.bytes(of: loaded))
  }

  /// A copy as a file, which is removed when the body returns: move it to keep it.
  ///
  /// - Parameters:
  ///   - type: the uniform type identifier that is wanted.
  ///   - context: of the request that the attachment came with.
  ///   - body: gets the absolute path.
  /// - Throws: as ``loadData(for:in:)``, and what the body throws.
  public func loadFile<Result: Sendable>(
    for type: String, in context: ExtensionContext, _ body: (_ path: String) async throws -> Result
  ) async throws -> Result {
    let loaded = try await context.call(
      Items.Load(requestID: context.requestID, itemID: itemID, typeIdentifier: type, representation: .file))
    let path = try context.path(of: loaded)
    defer { unlink(path) }
    return try await body(path)
  }
}
