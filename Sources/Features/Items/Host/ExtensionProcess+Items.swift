import Base64
import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import PropertyList

extension ExtensionProcess {
  /// The bytes of an attachment that the extension returned: the inline ones, else those that it provides now. Call it
  /// while the extension still runs.
  ///
  /// - Parameters:
  ///   - type: the type wanted; the first registered one when absent.
  ///   - limit: the most bytes that are taken.
  /// - Throws: what `item/provide` throws, `protocolViolation` for an answer that cannot be used, `limitExceeded`.
  public func bytes(
    of attachment: ItemProvider, requestID: String, as type: String? = nil, limit: Int = 64 << 20
  ) async throws(ExtensionError) -> [UInt8] {
    let wanted = type ?? attachment.registeredTypeIdentifiers.first ?? "public.data"
    if let inline = attachment.inline, type == nil || inline.type == type {
      return try await decoded(inline.value, isBase64: inline.encoding == "base64")
    }
    let answer = try await call(
      Items.Provide(requestID: requestID, itemID: attachment.itemID, typeIdentifier: wanted))
    if answer.kind == .file, let path = answer.path { return try take(path, limit: limit) }
    guard let value = answer.value else {
      throw await misanswered(Items.Provide.method, "It provided neither a value nor a file.")
    }
    return try await decoded(value, isBase64: answer.kind == .data || answer.kind == .plist)
  }

  private func decoded(_ value: String, isBase64: Bool) async throws(ExtensionError) -> [UInt8] {
    guard isBase64 else { return Array(value.utf8) }
    guard let bytes = Base64.decode(value) else {
      throw await misanswered(Items.Provide.method, "The value of an attachment is not base64.")
    }
    return bytes
  }
}
