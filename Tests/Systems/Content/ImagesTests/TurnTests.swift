import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A turn` {
  private static let all = (1...8).map { Turn(orientation: $0) }

  @Test func `followed by another is both`() {
    for one in Self.all {
      for two in Self.all {
        let both = TestPicture.six.turned(one).turned(two)
        let joined = TestPicture.six.turned(one.followed(by: two))
        #expect(joined.size == both.size && joined.pixels == both.pixels, "\(one) \(two)")
      }
    }
  }

  @Test func `knows where a part of the result comes from`() {
    let picture = TestPicture.gradient(9, 7)
    for turn in Self.all {
      let area = PixelArea(x: 2, y: 1, size: PixelSize(width: 3, height: 4))
      let source = turn.source(of: area, in: picture.size)
      let before = Self.part(picture, source).turned(turn)
      let after = Self.part(picture.turned(turn), area)
      #expect(before.size == after.size && before.pixels == after.pixels, "\(turn)")
    }
  }

  private static func part(_ picture: Bitmap, _ area: PixelArea) -> Bitmap {
    let columns = Double(area.x)..<Double(area.x + area.size.width)
    let rows = Double(area.y)..<Double(area.y + area.size.height)
    return picture.resampled(SourceArea(columns: columns, rows: rows), to: area.size)
  }
}
