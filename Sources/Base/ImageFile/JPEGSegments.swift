/// The segments of a JPEG before its first scan (ITU-T T.81, annex B). Padding and markers without content are skipped.
package struct JPEGSegments: Sequence, IteratorProtocol {
  /// A marker with what follows it.
  package struct Segment {
    /// The second byte of the marker, for example 0xE1 for APP1.
    package let marker: UInt8
    /// The bytes after the length.
    package let content: ArraySlice<UInt8>
  }

  /// Why there is no further segment.
  package enum End: Sendable {
    /// The pixels follow, or the end of the image.
    case pixels
    /// The file stops, or continues with something that is no marker.
    case noMarker
    /// A segment claims more bytes than the file has, or fewer than its own length field takes.
    case wrongLength
  }

  /// The reason that the iteration stopped; `nil` while there may be another segment.
  package private(set) var end: End?
  private let file: [UInt8]
  private let takesCut: Bool
  /// Behind the marker that begins the file.
  private var position = 2

  /// Begins behind the first marker of a file that ``ImageFormat`` takes for a JPEG.
  ///
  /// - Parameter takesCut: whether a last segment that is longer than the file is returned with the bytes that are there.
  package init(_ file: [UInt8], takesCut: Bool = false) {
    self.file = file
    self.takesCut = takesCut
  }

  /// Returns the next segment, or `nil` and sets ``end``.
  package mutating func next() -> Segment? {
    guard end == nil else { return nil }
    while position + 4 <= file.count, file[position] == 0xFF {
      let marker = file[position + 1]
      switch marker {
      case 0xFF: position += 1
      case 0x01, 0xD0...0xD7: position += 2
      case 0xD9, 0xDA:
        end = .pixels
        return nil
      default:
        let start = position + 4
        let next = position + 2 + (Int(file[position + 2]) << 8 | Int(file[position + 3]))
        guard start <= next, next <= file.count || takesCut else {
          end = .wrongLength
          return nil
        }
        position = next
        return Segment(marker: marker, content: file[start..<Swift.min(next, file.count)])
      }
    }
    end = .noMarker
    return nil
  }
}
