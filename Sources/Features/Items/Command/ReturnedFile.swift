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

/// What an extension returned, as the bytes of one file.
struct ReturnedFile {
  let entry: RegistryEntry
  let items: [ExtensionItem]
  let late: LateAttachments
  let types: TypeGraph

  /// A page's arguments as JSON; else the attachments one after the other, texts with a line end each; the items' own texts
  /// when none is attached.
  ///
  /// - Throws: `contentInvalid` when there is nothing; else why a value could not be fetched.
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

  private func line(_ text: String) -> [UInt8] { Array((text.hasSuffix("\n") ? text : text + "\n").utf8) }
}
