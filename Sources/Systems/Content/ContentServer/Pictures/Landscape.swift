/// A drawing of hills under a sky: every name has its own, and always the same.
///
/// Images hold at most 16 colours, so that a PNG without compression stays small.
struct Landscape {
  private let seed: UInt64

  init(name: String) {
    // FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv).
    seed = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The picture as a PNG file.
  func png(width: Int, height: Int) -> [UInt8] {
    let ridges = (0..<3).map { ridge($0, width: width, height: height) }
    let sun = (x: Int(noise(900) * Double(width)), y: height / 6 + Int(noise(901) * Double(height) / 5))
    let radius = max(1, height / 10)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    let (far, middle, near) = (ridges[0], ridges[1], ridges[2])
    for y in 0..<height {
      var row = [UInt8](repeating: UInt8(y * 7 / height), count: width)
      let rise = radius * radius - (y - sun.y) * (y - sun.y)
      if rise > 0 {
        let half = Int(Double(rise).squareRoot())
        for x in max(0, sun.x - half)..<min(width, sun.x + half + 1) { row[x] = 8 }
      }
      for x in 0..<width {
        if y >= near[x] { row[x] = 13 } else if y >= middle[x] { row[x] = 11 } else if y >= far[x] { row[x] = 9 }
      }
      pixels += row
    }
    return PNGFile(width: width, height: height, palette: palette, pixels: pixels).bytes
  }

  /// For each column the row where a chain of hills begins: noise at four scales.
  private func ridge(_ layer: Int, width: Int, height: Int) -> [Int] {
    (0..<width).map { x in
      var rise = 0.0
      for octave in 0..<4 {
        let place = Double(x) / Double(width) * Double(2 << octave)
        let left = Int(place)
        let share = place - Double(left)
        let smooth = share * share * (3 - 2 * share)
        let (from, to) = (noise(layer * 100 + octave * 20 + left), noise(layer * 100 + octave * 20 + left + 1))
        rise += (from + (to - from) * smooth) / Double(1 << octave)
      }
      let base = 0.75 + 0.14 * Double(layer)
      return Int(Double(height) * (base - rise * (0.26 - 0.06 * Double(layer))))
    }
  }

  /// 0 up to 1, fixed by the seed and a number.
  private func noise(_ index: Int) -> Double {
    var value = seed &+ UInt64(truncatingIfNeeded: index) &* 0x9e37_79b9_7f4a_7c15
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((value ^ (value >> 31)) >> 11) / Double(1 << 53)
  }

  /// Eight colours of the sky, the sun, and the hills from far to near.
  private var palette: [(UInt8, UInt8, UInt8)] {
    let hue = noise(950)
    var colours: [(UInt8, UInt8, UInt8)] = (0..<8).map { step in
      Self.colour(hue: hue, saturation: 0.65 - 0.06 * Double(step), value: 0.6 + 0.05 * Double(step))
    }
    colours.append((255, 244, 200))
    for layer in 0..<7 {
      colours.append(
        Self.colour(hue: hue + 0.45 + 0.1 * noise(960), saturation: 0.5, value: 0.62 - 0.07 * Double(layer)))
    }
    return colours
  }

  private static func colour(hue: Double, saturation: Double, value: Double) -> (UInt8, UInt8, UInt8) {
    let part = { (offset: Double) -> UInt8 in
      let k = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
      return UInt8(255 * (value - value * saturation * max(0, min(k, 4 - k, 1))))
    }
    return (part(5), part(3), part(1))
  }
}
