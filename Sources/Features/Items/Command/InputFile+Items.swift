import Base64
import Contracts
import HostCLI
import PropertyList

extension InputFile {
  /// The bytes as an inline value: text where they are UTF-8, else base64.
  static func inline(_ bytes: [UInt8], type: String) -> ItemProvider.Inline {
    if let text = String(validating: bytes, as: UTF8.self) { return ItemProvider.Inline(type: type, value: text) }
    return ItemProvider.Inline(type: type, value: Base64.encode(bytes), encoding: "base64")
  }
}
