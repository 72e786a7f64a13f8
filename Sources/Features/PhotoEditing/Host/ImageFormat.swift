/// What a media file is, by its first bytes and never by its name.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg = "public.jpeg"
  case png = "public.png"
  case gif = "com.compuserve.gif"
  case tiff = "public.tiff"
  case webp = "org.webmproject.webp"
  case heic = "public.heic"
  case quickTime = "com.apple.quicktime-movie"
  case mpeg4 = "public.mpeg-4"

  /// - Returns: `nil` when the bytes begin like none of the formats.
  package init?(_ bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(16))
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has("ftyp", at: 4) {
      let brand = String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)
      self = ["heic", "heix", "mif1"].contains(brand) ? .heic : brand == "qt  " ? .quickTime : .mpeg4
    } else {
      return nil
    }
  }

  /// The name in `PHSupportedMediaTypes`.
  package var mediaType: String { isMovie ? "Video" : "Image" }

  /// `PHAssetMediaType`: 1 image, 2 video.
  package var mediaTypeNumber: Int { isMovie ? 2 : 1 }

  private var isMovie: Bool { self == .quickTime || self == .mpeg4 }
}
