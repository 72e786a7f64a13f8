import Contracts
import ExtensionProtocol

/// Converts a value to other types, and checks whether a value matches its type. Pictures are not converted, because
/// there is no imaging library here.
enum ItemCoercion {
  /// The type of a picture by how its bytes begin; `nil` for anything else.
  static func imageType(_ bytes: [UInt8]) -> String? {
    let marks: [(type: String, start: [UInt8])] = [
      ("public.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("public.jpeg", [0xFF, 0xD8, 0xFF]),
      ("com.compuserve.gif", Array("GIF8".utf8)), ("public.tiff", [0x49, 0x49, 0x2A, 0x00]),
      ("public.tiff", [0x4D, 0x4D, 0x00, 0x2A]), ("com.microsoft.bmp", Array("BM".utf8)),
    ]
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "org.webmproject.webp" }
    return marks.first { bytes.starts(with: $0.start) }?.type
  }

  /// Refuses text that is not UTF-8 and an address that is none.
  static func check(
    _ bytes: [UInt8], as type: String, _ conforms: (String, String) -> Bool
  ) throws(ExtensionError) {
    if conforms(type, "public.plain-text") || conforms(type, "public.url") {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw ItemProviderError.unexpectedValueClass.error("The value of type \(type) is not text in UTF-8.")
      }
      guard !conforms(type, "public.url") || URLScheme.of(text) != nil else {
        throw ItemProviderError.unexpectedValueClass.error("The value of type \(type) is not an address.")
      }
    }
  }
}
