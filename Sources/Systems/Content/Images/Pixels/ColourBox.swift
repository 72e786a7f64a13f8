/// Colours that are near to one another, for a palette by median cut.
struct ColourBox {
  /// A colour is known by five bits of each channel, and by three of alpha.
  static let cells = 1 << 18

  static func cell(of pixel: Pixel) -> Int {
    Int(pixel.x >> 3) << 13 | Int(pixel.y >> 3) << 8 | Int(pixel.z >> 3) << 3 | Int(pixel.w >> 5)
  }

  /// Pixels that share a cell; at least one.
  private struct Group {
    let count: Int
    let sums: SIMD4<Int>
    let mean: SIMD4<Int>

    init(count: Int, sums: SIMD4<Int>) {
      self.count = count
      self.sums = sums
      mean = sums / count
    }
  }

  private let groups: [Group]
  /// The channel in which the colours differ the most, and below the difference multiplied by the number of pixels.
  private let widest: Int
  private let weight: Int

  private init(_ groups: [Group]) {
    self.groups = groups
    var (low, high) = (SIMD4<Int>(repeating: 255), SIMD4<Int>())
    var count = 0
    for group in groups {
      low = pointwiseMin(low, group.mean)
      high = pointwiseMax(high, group.mean)
      count += group.count
    }
    let spread = high &- low
    widest = (0..<4).max { spread[$0] < spread[$1] } ?? 0
    weight = groups.count < 2 ? 0 : spread[widest] * spread[widest] * count
  }

  /// Returns a palette of at most so many colours that are close to those of a picture. Transparent pixels have their
  /// own entry.
  static func palette(of bitmap: Bitmap, colours: Int) -> [Pixel] {
    var counts = [Int](repeating: 0, count: cells)
    var sums = [SIMD4<Int>](repeating: SIMD4(), count: cells)
    var hasTransparency = false
    for pixel in bitmap.pixels {
      if pixel.w == 0 {
        hasTransparency = true
        continue
      }
      let cell = cell(of: pixel)
      counts[cell] += 1
      sums[cell] &+= SIMD4<Int>(truncatingIfNeeded: pixel)
    }
    let groups = counts.indices.filter { counts[$0] > 0 }.map { Group(count: counts[$0], sums: sums[$0]) }
    var boxes = [ColourBox(groups)]
    let count = hasTransparency ? colours - 1 : colours
    while boxes.count < count,
      let index = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }), boxes[index].weight > 0
    {
      let (lower, upper) = boxes[index].halves
      boxes[index] = lower
      boxes.append(upper)
    }
    return (hasTransparency ? [Pixel()] : []) + boxes.map(\.mean)
  }

  /// Both have at least one group, because there are two.
  private var halves: (ColourBox, ColourBox) {
    let sorted = groups.sorted { $0.mean[widest] < $1.mean[widest] }
    let half = sorted.reduce(0) { $0 + $1.count } / 2
    var (cut, seen) = (0, 0)
    while cut < sorted.count - 1, cut == 0 || seen + sorted[cut].count <= half {
      seen += sorted[cut].count
      cut += 1
    }
    return (ColourBox(Array(sorted[..<cut])), ColourBox(Array(sorted[cut...])))
  }

  private var mean: Pixel {
    let sums = groups.reduce(SIMD4<Int>()) { $0 &+ $1.sums }
    let count = max(1, groups.reduce(0) { $0 + $1.count })
    return Pixel(truncatingIfNeeded: (sums &+ count / 2) / count)
  }
}
