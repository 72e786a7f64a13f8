import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A PNG file` {
  private static let kinds = [
    (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16), (6, 8),
    (6, 16),
  ]

  @Test(arguments: kinds, [false, true])
  func `is read in every kind`(kind: (colourType: Int, depth: Int), isInterlaced: Bool) throws {
    let samples = Samples(colourType: kind.colourType, depth: kind.depth)
    var file = TestPNG(width: 11, height: 9, colourType: kind.colourType, depth: kind.depth) { samples.at($0, $1) }
    file.isInterlaced = isInterlaced
    file.palette = samples.palette
    let read = try TestPicture.pixels(of: file.bytes)
    #expect(read.size == PixelSize(width: 11, height: 9))
    for y in 0..<9 {
      for x in 0..<11 {
        let pixel = read.pixels[y * 11 + x]
        let expected = samples.expected(x, y)
        for channel in 0..<4 {
          let apart = Int(pixel[channel]) - Int(expected[channel])
          #expect(abs(apart) <= (kind.depth == 16 ? 3 : 0), "\(x), \(y), channel \(channel)")
        }
      }
    }
  }

  @Test func `of sixteen bits, interlaced, has its alpha rounded to the nearest of eight`() throws {
    let alphas = [0, 128, 129, 385, 386, 32_767, 32_768, 32_896, 65_278, 65_406, 65_407, 65_535]
    var file = TestPNG(width: alphas.count, height: 1, colourType: 6, depth: 16) { x, _ in [0, 0, 0, alphas[x]] }
    file.isInterlaced = true
    let read = try TestPicture.pixels(of: file.bytes).pixels.map { Int($0[3]) }
    #expect(read == alphas.map { Int((Double($0) * 255 / 65_535).rounded()) })
  }

  @Test func `is written as it was, with alpha and without`() throws {
    for picture in [TestPicture.gradient(17, 5), TestPicture.gradient(5, 17) { x, y in UInt8(x * 40 + y) }] {
      #expect(try TestPicture.pixels(of: PNGCodec.encode(picture)).pixels == picture.pixels)
    }
  }

  @Test func `with a palette has at most 256 colours, near to those of the picture`() throws {
    let picture = TestPicture.gradient(64, 64) { x, _ in UInt8(x * 4) }
    let file = try ImageRendering.render(PNGCodec.encode(picture), as: ImageTransform(format: .PNG8))
    let read = try TestPicture.pixels(of: file.bytes)
    #expect(file.bytes[25] == 3)
    #expect(Set(read.pixels).count <= 256)
    #expect(read.resampledToHalf.distance(to: picture.resampledToHalf) < 8)
  }

  @Test func `with a palette keeps few colours as they are`() throws {
    let file = try PNGCodec.encodePalette(TestPicture.six)
    #expect(try TestPicture.pixels(of: file).pixels == TestPicture.six.pixels)
  }
}

extension Bitmap {
  /// Dithering is right on the average.
  fileprivate var resampledToHalf: Bitmap {
    let area = SourceArea(columns: 0..<Double(size.width), rows: 0..<Double(size.height))
    return resampled(area, to: PixelSize(width: size.width / 2, height: size.height / 2))
  }
}

/// What the pixels of a file of some kind are.
private struct Samples {
  let colourType: Int
  let most: Int
  let channels: Int
  let palette: [[UInt8]]

  init(colourType: Int, depth: Int) {
    self.colourType = colourType
    most = (1 << depth) - 1
    channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 0
    let colours = colourType == 3 ? most + 1 : 0
    palette = (0..<colours).map { index -> [UInt8] in
      let byte = UInt8(index)
      return [byte, 255 - byte, 9, 255 - byte / 2]
    }
  }

  func at(_ x: Int, _ y: Int) -> [Int] {
    (0..<channels).map { channel in
      // Never quite transparent, where colours may be lost.
      if channel == channels - 1, colourType >= 4 { return most - (x + y) * most / 64 }
      let part = x * 5 + y * 3 + channel * 7
      return part * most / 97 % (most + 1)
    }
  }

  func expected(_ x: Int, _ y: Int) -> [UInt8] {
    let values = at(x, y)
    let eight = values.map { UInt8(($0 * 255 + most / 2) / most) }
    switch colourType {
    case 0: return [eight[0], eight[0], eight[0], 255]
    case 2: return eight + [255]
    case 3: return palette[values[0]]
    case 4: return [eight[0], eight[0], eight[0], eight[1]]
    default: return eight
    }
  }
}
