import ImageFile

/// The uniform type identifier of a photo or a movie, determined by its first bytes and never by its name.
package enum MediaFormat: String, Sendable, CaseIterable {
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
    switch ImageFormat(bytes) {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .gif: self = .gif
    case .webp: self = .webp
    case nil:
      let head = Array(bytes.prefix(12))
      if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
        self = .tiff
      } else if head.dropFirst(4).starts(with: "ftyp".utf8) {
        let brand = String(decoding: head.dropFirst(8), as: UTF8.self)
        self = ["heic", "heix", "mif1"].contains(brand) ? .heic : brand == "qt  " ? .quickTime : .mpeg4
      } else {
        return nil
      }
    }
  }

  /// The name in `PHSupportedMediaTypes`.
  package var mediaType: String { isMovie ? "Video" : "Image" }

  /// `PHAssetMediaType`: 1 image, 2 video.
  package var mediaTypeNumber: Int { isMovie ? 2 : 1 }

  private var isMovie: Bool { self == .quickTime || self == .mpeg4 }
}
