import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A picture in another size` {
  private static func scaled(_ picture: Bitmap, _ width: Int, _ height: Int) -> Bitmap {
    let area = SourceArea(columns: 0..<Double(picture.size.width), rows: 0..<Double(picture.size.height))
    return picture.resampled(area, to: PixelSize(width: width, height: height))
  }

  private static func even(_ pixel: Pixel) -> Bitmap {
    Bitmap(PixelSize(width: 23, height: 11), pixels: Array(repeating: pixel, count: 253))
  }

  @Test(arguments: [(1, 1), (2, 30), (7, 5), (22, 10), (24, 12), (100, 3)])
  func `stays even where it was`(width: Int, height: Int) {
    for pixel in [Pixel(1, 128, 254, 255), Pixel(255, 255, 255, 255), Pixel(), Pixel(100, 200, 50, 200)] {
      let scaled = Self.scaled(Self.even(pixel), width, height)
      #expect(scaled.pixels.count == width * height)
      for made in scaled.pixels {
        for channel in 0..<4 { #expect(abs(Int(made[channel]) - Int(pixel[channel])) <= 1) }
      }
    }
  }

  @Test func `keeps its light`() {
    let black = Pixel(0, 0, 0, 255)
    let white = Pixel(255, 255, 255, 255)
    let board = Bitmap(
      PixelSize(width: 64, height: 64), pixels: (0..<4096).map { ($0 + $0 / 64) % 2 == 0 ? black : white })
    let mean = Self.scaled(board, 8, 8).pixels.map { Int($0.x) }.reduce(0, +) / 64
    #expect((126...129).contains(mean))
  }

  @Test func `gets no colour of what is transparent`() {
    let clearRed = Pixel(255, 0, 0, 0)
    let blue = Pixel(0, 0, 255, 255)
    let stripes = Bitmap(
      PixelSize(width: 32, height: 4), pixels: (0..<128).map { $0 % 2 == 0 ? clearRed : blue })
    for pixel in Self.scaled(stripes, 8, 1).pixels {
      #expect(pixel.x == 0 && pixel.z == 255 && (100...155).contains(pixel.w))
    }
  }

  @Test func `shows what it showed, smaller and larger`() {
    let picture = TestPicture.gradient(60, 40)
    #expect(Self.scaled(picture, 30, 20).distance(to: TestPicture.gradient(30, 20)) < 5)
    #expect(Self.scaled(picture, 90, 60).distance(to: TestPicture.gradient(90, 60)) < 5)
  }

  @Test func `is a part of it when a part is asked for`() {
    let picture = TestPicture.gradient(60, 40)
    let part = picture.resampled(SourceArea(columns: 10..<13, rows: 5..<7), to: PixelSize(width: 3, height: 2))
    #expect(part.pixels == [310, 311, 312, 370, 371, 372].map { picture.pixels[$0] })
    let half = picture.resampled(SourceArea(columns: 59.5..<60, rows: 0..<0.5), to: PixelSize(width: 1, height: 1))
    #expect(half.pixels == [picture.pixels[59]])
  }

  @Test func `has weights that make one`() {
    for (range, count) in [(0.0..<10.0, 3), (0.25..<9.125, 9), (3.5..<4.0, 1), (0..<1, 50), (0..<1000, 1)] {
      let axis = ResamplingAxis(range, to: count)
      #expect(axis.starts.count == count && axis.weights.count == count * axis.taps)
      for index in 0..<count {
        let weights = axis.weights[(index * axis.taps)..<((index + 1) * axis.taps)]
        #expect(abs(weights.reduce(0, +) - 1) < 1e-4 && weights.allSatisfy { $0 >= 0 })
        #expect(axis.starts[index] >= axis.needed.lowerBound)
        #expect(axis.starts[index] + axis.taps <= axis.needed.upperBound)
      }
    }
  }
}
