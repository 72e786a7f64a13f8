/// What stands before the pixels of a JPEG.
struct JPEGHeader {
  private(set) var size = PixelSize(width: 0, height: 0)
  /// Of EXIF, 1 to 8.
  private(set) var orientation = 1
  /// Colours and, for four of them, black.
  private(set) var components = 0
  /// Whether a program of Adobe wrote the file: then CMYK is inverted.
  private(set) var hasAdobeMark = false

  init(_ file: [UInt8]) throws(ImageError) {
    var position = 2
    while let segment = try Self.segment(file, &position) {
      let content = segment.content
      switch segment.marker {
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: try read(frame: content)
      case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:
        throw .broken(.jpeg, "this kind of JPEG (lossless or hierarchical) is not supported")
      case 0xE1 where content.starts(with: "Exif\0\0".utf8):
        orientation = ImageOrientation.of(tiff: content.dropFirst(6)) ?? orientation
      case 0xEE where content.starts(with: "Adobe".utf8): hasAdobeMark = true
      default: break
      }
    }
    guard components > 0 else { throw .broken(.jpeg, "it does not say its size") }
  }

  /// The next segment before the scans, or nil.
  private static func segment(
    _ file: [UInt8], _ position: inout Int
  ) throws(ImageError) -> (marker: UInt8, content: ArraySlice<UInt8>)? {
    while position + 4 <= file.count, file[position] == 0xFF {
      let marker = file[position + 1]
      switch marker {
      case 0xFF: position += 1
      case 0x01, 0xD0...0xD7: position += 2
      case 0xD9, 0xDA: return nil
      default:
        let start = position + 4
        let end = position + 2 + (Int(file[position + 2]) << 8 | Int(file[position + 3]))
        guard start <= end, end <= file.count else { throw .broken(.jpeg, "a segment is longer than the file") }
        position = end
        return (marker, file[start..<end])
      }
    }
    throw .broken(.jpeg, "it ends before its pixels")
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
