import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `The weights of pixels in another size` {
  private static func isNear(_ weights: [Float], _ wanted: [Float]) -> Bool {
    weights.count == wanted.count && zip(weights, wanted).allSatisfy { abs($0 - $1) < 1e-5 }
  }

  @Test func `are a triangle two pixels of the result wide`() {
    let axis = ResamplingAxis(0..<4, to: 2)
    #expect(axis.taps == 4 && axis.starts == [0, 0] && axis.needed == 0..<4)
    let (large, small): (Float, Float) = (0.428_571_4, 0.142_857_1)
    let wanted: [Float] = [large, large, small, 0, 0, small, large, large]
    #expect(Self.isNear(axis.weights, wanted))
  }

  @Test func `are those of two pixels when it is enlarged`() {
    let axis = ResamplingAxis(0..<2, to: 4)
    #expect(axis.taps == 2 && axis.starts == [0, 0, 0, 0] && axis.needed == 0..<2)
    #expect(Self.isNear(axis.weights, [1, 0, 0.75, 0.25, 0.25, 0.75, 0, 1]))
    let one = ResamplingAxis(0..<1, to: 3)
    #expect(one.taps == 1 && one.starts == [0, 0, 0] && one.weights == [1, 1, 1])
  }

  @Test func `begin within a pixel`() {
    let axis = ResamplingAxis(1.5..<3.5, to: 2)
    #expect(axis.taps == 2 && axis.starts == [1, 2] && axis.needed == 1..<4)
    #expect(Self.isNear(axis.weights, [0.5, 0.5, 0.5, 0.5]))
    let same = ResamplingAxis(2..<5, to: 3)
    #expect(same.taps == 2 && same.needed == 2..<5 && same.starts == [2, 3, 3])
    #expect(Self.isNear(same.weights, [1, 0, 1, 0, 0, 1]))
  }

  private static func resampled(_ pixels: [Pixel], width: Int, to newWidth: Int, _ newHeight: Int) -> [Pixel] {
    let size = PixelSize(width: width, height: pixels.count / width)
    let area = SourceArea(columns: 0..<Double(size.width), rows: 0..<Double(size.height))
    return Bitmap(size, pixels: pixels).resampled(area, to: PixelSize(width: newWidth, height: newHeight)).pixels
  }

  @Test func `make colours of colours, across and down`() {
    let (one, two) = (Pixel(0, 10, 20, 255), Pixel(100, 30, 22, 255))
    #expect(Self.resampled([one, two], width: 2, to: 1, 1) == [Pixel(50, 20, 21, 255)])
    #expect(Self.resampled([one, two], width: 1, to: 1, 1) == [Pixel(50, 20, 21, 255)])
    let four = [one, Pixel(25, 15, 20, 255), Pixel(75, 25, 22, 255), two].map { Pixel($0.x, $0.y, 0, 255) }
    let ends = [four[0], four[3]]
    #expect(Self.resampled(ends, width: 2, to: 4, 1) == four)
    #expect(Self.resampled(ends, width: 1, to: 1, 4) == four)
    let two2 = [Pixel(0, 0, 0, 255), Pixel(80, 0, 0, 255), Pixel(0, 40, 0, 255), Pixel(80, 40, 0, 255)]
    #expect(Self.resampled(two2, width: 2, to: 1, 2) == [Pixel(40, 0, 0, 255), Pixel(40, 40, 0, 255)])
    #expect(Self.resampled(two2, width: 2, to: 2, 1) == [Pixel(0, 20, 0, 255), Pixel(80, 20, 0, 255)])
  }

  @Test func `leave colours by their alpha`() {
    let (clear, blue) = (Pixel(255, 0, 0, 0), Pixel(0, 0, 255, 255))
    #expect(Self.resampled([clear, blue], width: 2, to: 1, 1) == [Pixel(0, 0, 255, 128)])
    #expect(Self.resampled([clear, clear], width: 2, to: 1, 1) == [Pixel()])
    // The picture itself is not touched.
    #expect(Self.resampled([clear, blue], width: 2, to: 2, 1) == [clear, blue])
    let half = Pixel(200, 100, 0, 128)
    #expect(Self.resampled([half, half], width: 2, to: 1, 1) == [Pixel(199, 100, 0, 128)])
  }
}
