/// A file format of pictures, told by the first bytes of a file: what a name or a server says of it does not count.
///
/// SVG is none of them: it is a document that names other addresses and holds programs.
package enum ImageFormat: String, Sendable, CaseIterable {
  case gif, png, jpeg, webp

  /// The media type, such as `image/png` (RFC 2046, 4.2).
  package var mimeType: String { "image/\(rawValue)" }

  /// Recognizes the signature at the beginning of a file, of which the first 12 bytes suffice; `nil` for other content.
  package init?(_ bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(12))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }
}
