import Activation
import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import PropertyList
import Text

/// The returned items of an extension, as the bytes of one file.
struct ReturnedFile {
  let entry: RegistryEntry
  let items: [ExtensionItem]
  let late: LateAttachments
  let types: TypeGraph

  /// Returns a page's arguments as JSON; otherwise the attachments in order, with a line end after each text; otherwise
  /// the texts of the items.
  ///
  /// - Throws: `contentInvalid` when there is nothing; otherwise the error of fetching a value.
  func bytes() throws(ExtensionError) -> [UInt8] {
    if let arguments = items.finalizeArguments { return line(JSONCoding.prettyText(of: .object(arguments))) }
    var attached: [UInt8]?
    for attachment in items.flatMap(\.attachments) {
      guard let value = try value(of: attachment) else { continue }
      if attached == nil { attached = [] }
      attached?.append(contentsOf: value)
    }
    if let attached { return attached }
    let texts = items.compactMap(\.attributedContentText)
    guard !texts.isEmpty else {
      throw ExtensionError(
        .contentInvalid, "\(entry.displayName) returned nothing that could be written to a file.",
        recovery: "Leave -o away to see what it returned.")
    }
    return texts.flatMap(line)
  }

  /// - Throws: why the value could not be fetched.
  private func value(of attachment: ItemProvider) throws(ExtensionError) -> [UInt8]? {
    guard let bytes = try late.value(of: attachment) else {
      return attachment.inline.map { $0.encoding == "base64" ? Base64.decode($0.value) ?? [] : line($0.value) }
    }
    let isText = attachment.registeredTypeIdentifiers.contains { types.conforms($0, to: "public.text") }
    return isText ? String(validating: bytes, as: UTF8.self).map(line) ?? bytes : bytes
  }

  /// A return and a line feed are one character, and end a line too.
  private func line(_ text: String) -> [UInt8] {
    Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8)
  }
}
