import Text
import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON
import PropertyList

extension ExtensionProcess {
  /// Returns the bytes of an attachment that the extension returned: inline ones, or otherwise those that the extension
  /// provides now. Call it while the extension runs.
  ///
  /// - Parameters:
  ///   - type: the requested type; by default the first registered one.
  ///   - limit: the most bytes, in whatever form they arrive. A caller that keeps the values of several attachments
  ///     passes what remains after the others.
  /// - Throws: the errors of `item/provide`; `protocolViolation` for an answer that cannot be used; `limitExceeded`.
  public func bytes(
    of attachment: ItemProvider, requestID: String, as type: String? = nil, limit: Int = 64 << 20
  ) async throws(ExtensionError) -> [UInt8] {
    let wanted = type ?? attachment.registeredTypeIdentifiers.first ?? "public.data"
    if let inline = attachment.inline, type == nil || inline.type == type {
      return try await decoded(inline.value, isBase64: inline.encoding == "base64", limit)
    }
    let answer = try await call(
      Items.Provide(requestID: requestID, itemID: attachment.itemID, typeIdentifier: wanted))
    if answer.kind == .file, let path = answer.path { return try take(path, limit: limit) }
    guard let value = answer.value else {
      throw await misanswered(Items.Provide.method, "It provided neither a value nor a file.")
    }
    return try await decoded(value, isBase64: answer.kind == .data || answer.kind == .plist, limit)
  }

  private func decoded(_ value: String, isBase64: Bool, _ limit: Int) async throws(ExtensionError) -> [UInt8] {
    guard let bytes = isBase64 ? Base64.decode(value) : Array(value.utf8) else {
      throw await misanswered(Items.Provide.method, "The value of an attachment is not base64.")
    }
    guard bytes.count <= limit else {
      throw ExtensionError(
        .limitExceeded, "An attachment has \(bytes.count) bytes; at most \(limit) are taken.",
        details: ["limit": .integer(Int64(limit))])
    }
    return bytes
  }
}
