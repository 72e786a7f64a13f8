import ImageFile
import Testing

private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

@Suite(.timeLimit(.minutes(1)))
struct `The size of a picture` {
  private func size(_ bytes: [UInt8]) -> [Int]? { ImageSize.of(bytes).map { [$0.width, $0.height] } }

  private func webP(_ kind: String, _ place: Int, _ bytes: [UInt8]) -> [UInt8] {
    var file = Array("RIFF0000WEBP\(kind)".utf8) + [UInt8](repeating: 0, count: 14)
    for (index, byte) in bytes.enumerated() { file[place + index] = byte }
    return file
  }

  @Test func `stands in the head of its file, which must be whole`() {
    let files: [[UInt8]] = [
      png + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 2, 0, 0, 0, 3], Array("GIF89a".utf8) + [2, 1, 3, 0],
      webP("VP8X", 24, [1, 1, 0, 2, 0, 0]), webP("VP8 ", 26, [2, 0xC1, 3, 0x40]),
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 7, 8, 0, 3, 1, 2],
    ]
    for file in files {
      #expect(size(file) == [258, 3], "\(file)")
      #expect(size(file + [0]) == [258, 3], "\(file)")
      #expect(size(Array(file.dropLast())) == nil, "\(file)")
    }
    #expect(size(png + [0, 0, 0, 13] + Array("IHDR".utf8) + [1, 2, 3, 4, 5, 6, 7, 8]) == [0x0102_0304, 0x0506_0708])
    // Both of 14 bits; what stands above them is none of the size.
    #expect(size(webP("VP8L", 21, [0xFF, 0x7F, 0, 0x10])) == [16_384, 2])
    #expect(size(webP("VP8L", 21, [0, 0xC0, 0xFF, 0xEF])) == [1, 16_384])
    #expect(size(webP("VP8Z", 24, [1, 1, 0, 2, 0, 0])) == nil && size([]) == nil)
  }

  @Test func `is not nothing`() {
    for (width, height) in [(0, 1), (1, 0)] as [(UInt8, UInt8)] {
      #expect(size(Array("GIF87a".utf8) + [width, 0, height, 0]) == nil)
    }
    #expect(size(Array("GIF87a".utf8) + [1, 0, 1, 0]) == [1, 1])
  }

  @Test func `stands in a frame, behind segments of other kinds`() {
    let frames: Set<UInt8> = [
      0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF,
    ]
    for marker in UInt8(0xC0)...0xCF {
      let found = size([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 9, 9, 0xFF, marker, 0, 7, 8, 0, 3, 1, 2])
      #expect(found == (frames.contains(marker) ? [258, 3] : nil), "\(marker)")
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The segments of a JPEG` {
  private func read(_ bytes: [UInt8], takesCut: Bool = false) -> (markers: [UInt8], end: JPEGSegments.End?) {
    var (segments, markers) = (JPEGSegments([0xFF, 0xD8] + bytes, takesCut: takesCut), [UInt8]())
    while let segment = segments.next() { markers.append(segment.marker) }
    let isOver = segments.next() == nil
    return (isOver ? markers : [], segments.end)
  }

  @Test func `end at the pixels, or where there is no marker`() {
    for marker in [0xD9, 0xDA] as [UInt8] {
      let found = read([
        0xFF, 0xFF, 0xE0, 0, 2, 0xFF, 0xD0, 0xFF, 0xD7, 0xFF, 0x01, 0xFF, 0xE1, 0, 3, 7, 0xFF, marker, 0, 0,
      ])
      #expect(found.markers == [0xE0, 0xE1] && found.end == .pixels)
    }
    let other = read([0xFF, 0xE0, 0, 2, 0xFE, 0xE1, 0, 2])
    #expect(other.markers == [0xE0] && other.end == .noMarker)
    #expect(read([]).end == .noMarker && read([0xFF, 0xE0, 0]).end == .noMarker)
  }

  @Test func `have lengths that their file holds`() {
    for takesCut in [true, false] {
      #expect(read([0xFF, 0xE0, 0, 1, 0, 0], takesCut: takesCut).end == .wrongLength)
      #expect(read([0xFF, 0xE0, 0, 2], takesCut: takesCut).markers == [0xE0])
    }
    #expect(read([0xFF, 0xE0, 0, 3, 7]).markers == [0xE0])
    #expect(read([0xFF, 0xE0, 0, 4, 7]).end == .wrongLength && read([0xFF, 0xE0, 0, 4, 7]).markers == [])
    #expect(read([0xFF, 0xE0, 0, 4, 7], takesCut: true).markers == [0xE0])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The orientation of a picture` {
  /// A block of Exif with one entry before that of the orientation.
  private func block(_ value: UInt8, type: UInt8 = 3, magic: UInt8 = 42, tag: UInt8 = 0x12) -> [UInt8] {
    Array("II".utf8) + [magic, 0, 8, 0, 0, 0, 2, 0] + [0x11, 1, 3, 0, 1, 0, 0, 0, 4, 0, 0, 0]
      + [tag, 1, type, 0, 1, 0, 0, 0, value, 0, 0, 0]
  }

  private func jpeg(_ block: [UInt8]) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + block
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + [0xFF, 0xD9]
  }

  private func chunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [0, 0, 0, 0]
  }

  @Test func `is that of the first block that has one`() {
    let (one, other) = (jpeg(block(3)), jpeg(block(6)))
    #expect(ImageOrientation.of(Array(one.dropLast(2)) + other.dropFirst(2)) == 3)
    #expect(ImageOrientation.of(Array(other.dropLast(2)) + one.dropFirst(2)) == 6)
  }

  @Test func `is one of eight`() {
    for value in UInt8(0)...9 {
      let isOne = (1...8).contains(value)
      #expect(ImageOrientation.of(tiff: block(value)[...]) == (isOne ? Int(value) : nil))
      #expect(ImageOrientation.of(jpeg(block(value))) == (isOne ? Int(value) : 1))
    }
    let big: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    #expect(ImageOrientation.of(tiff: big[...]) == 6)
  }

  @Test func `stands in a whole block of its form`() {
    #expect(
      ImageOrientation.of(tiff: block(6).dropLast(2)) == 6 && ImageOrientation.of(tiff: block(6).dropLast(3)) == nil)
    for other in [
      block(6, type: 4), block(6, magic: 43), block(6, tag: 0x13), Array("II".utf8) + [42, 0, 8, 0, 0], [],
    ] {
      #expect(ImageOrientation.of(tiff: other[...]) == nil)
    }
    // What is behind the entries that the directory counts is none of them.
    var counted = block(6)
    counted[8] = 1
    #expect(ImageOrientation.of(tiff: counted[...]) == nil)
    var swapped = block(6)
    swapped[1] = UInt8(ascii: "M")
    #expect(ImageOrientation.of(tiff: swapped[...]) == nil)
    #expect(ImageOrientation.of([]) == 1 && ImageOrientation.of(Array("GIF89a".utf8)) == 1)
  }

  @Test func `stands in a segment of its own kind and name`() {
    var (segment, name) = (jpeg(block(6)), jpeg(block(6)))
    segment[3] = 0xE2
    name[6] = UInt8(ascii: "e")
    for other in [segment, name] {
      #expect(ImageOrientation.of(other) == 1)
      #expect(ImageOrientation.of(Array(other.dropLast(2)) + jpeg(block(3)).dropFirst(2)) == 3)
    }
    // The order of its bytes is one of two.
    let big: [UInt8] = [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    for (order, value) in [("MM", 6), ("XX", nil), ("MI", nil), ("mm", nil)] as [(String, Int?)] {
      #expect(ImageOrientation.of(tiff: (Array(order.utf8) + big)[...]) == value, "\(order)")
    }
  }

  @Test func `of a PNG stands before its end`() {
    #expect(ImageOrientation.of(png + chunk("IHDR", [1]) + chunk("eXIf", block(5)) + chunk("IEND")) == 5)
    #expect(ImageOrientation.of(png + chunk("IHDR", [1]) + chunk("eXIf", block(5))) == 5)
    #expect(ImageOrientation.of(png + chunk("IEND") + chunk("eXIf", block(5))) == 1)
    #expect(ImageOrientation.of(png + chunk("eXIf", block(5)).dropLast()) == 1)
  }
}
