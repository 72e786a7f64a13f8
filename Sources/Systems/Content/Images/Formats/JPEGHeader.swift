import ImageFile

/// The header of a JPEG file, before the pixels.
struct JPEGHeader {
  private(set) var size = PixelSize(width: 0, height: 0)
  /// The orientation of EXIF, 1 to 8.
  private(set) var orientation = 1
  /// Colours and, for four of them, black.
  private(set) var components = 0
  /// Whether a program of Adobe wrote the file: then CMYK is inverted.
  private(set) var hasAdobeMark = false

  init(_ file: [UInt8]) throws(ImageError) {
    var segments = JPEGSegments(file)
    while let segment = segments.next() {
      switch segment.marker {
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: try read(frame: segment.content)
      case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:
        throw .broken(.jpeg, "this kind of JPEG (lossless or hierarchical) is not supported")
      case 0xEE where segment.content.starts(with: "Adobe".utf8): hasAdobeMark = true
      default: orientation = ImageOrientation.block(of: segment).flatMap(ImageOrientation.of(tiff:)) ?? orientation
      }
    }
    switch segments.end {
    case .pixels: break
    case .wrongLength: throw .broken(.jpeg, "a segment is longer than the file")
    case .noMarker, nil: throw .broken(.jpeg, "it ends before its pixels")
    }
    guard components > 0 else { throw .broken(.jpeg, "it does not say its size") }
  }

  private mutating func read(frame: ArraySlice<UInt8>) throws(ImageError) {
    guard components == 0, frame.count >= 6 else { throw .broken(.jpeg, "its frame is damaged") }
    let bytes = Array(frame.prefix(6))
    guard bytes[0] == 8 else { throw .broken(.jpeg, "it has \(bytes[0]) bits for each colour, and 8 are supported") }
    size = PixelSize(width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
    components = Int(bytes[5])
    guard [1, 3, 4].contains(components) else { throw .broken(.jpeg, "it has \(components) colours") }
  }
}
