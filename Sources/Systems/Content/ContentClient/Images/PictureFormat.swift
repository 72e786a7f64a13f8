/// The kinds of pictures that are taken, known by their first bytes: what a server says of the kind does not count.
///
/// SVG is refused: it is a document that names other addresses and holds programs, and whoever shows it would run them.
package enum PictureFormat: String, Sendable, CaseIterable {
  case png, jpeg, gif, webp

  package var mimeType: String { "image/\(rawValue)" }

  /// nil for every other content, and for what is too short to be a picture.
  package init?(_ bytes: [UInt8]) {
    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: signature) }
    if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
      self = .gif
    } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }
}
