/// A picture whose pixels are indices into a palette.
struct IndexedBitmap {
  /// The colours; at least one.
  let palette: [Pixel]
  /// One for each pixel.
  let indices: [UInt8]

  /// - Parameter colours: how many the palette has at most, 2 to 256.
  init(_ bitmap: Bitmap, colours: Int) {
    if let exact = Self.exact(bitmap, colours: colours) {
      self = exact
    } else {
      let palette = ColourBox.palette(of: bitmap, colours: colours)
      self.palette = palette
      indices = Self.dithered(bitmap, palette)
    }
  }

  private init(palette: [Pixel], indices: [UInt8]) {
    self.palette = palette
    self.indices = indices
  }

  /// The colours that the picture has, if they are few enough. What is transparent is one colour.
  private static func exact(_ bitmap: Bitmap, colours: Int) -> IndexedBitmap? {
    var known: [Pixel: UInt8] = [:]
    var (palette, indices): ([Pixel], [UInt8]) = ([], [])
    indices.reserveCapacity(bitmap.pixels.count)
    var (last, lastIndex): (Pixel?, UInt8) = (nil, 0)
    for pixel in bitmap.pixels {
      let colour = pixel.w == 0 ? Pixel() : pixel
      if colour != last {
        if let index = known[colour] {
          lastIndex = index
        } else {
          guard palette.count < colours else { return nil }
          lastIndex = UInt8(palette.count)
          known[colour] = lastIndex
          palette.append(colour)
        }
        last = colour
      }
      indices.append(lastIndex)
    }
    return IndexedBitmap(palette: palette, indices: indices)
  }

  /// Spreads what a colour of the palette lacks over the neighbours (Floyd and Steinberg).
  private static func dithered(_ bitmap: Bitmap, _ palette: [Pixel]) -> [UInt8] {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    var nearest = NearestColour(palette)
    var indices: [UInt8] = []
    indices.reserveCapacity(bitmap.pixels.count)
    // Sixteenths, with one more pixel on either side.
    var (this, next) = (errors(width), errors(width))
    for row in 0..<height {
      for column in 0..<width {
        let pixel = bitmap.pixels[row * width + column]
        let wanted = SIMD4<Int32>(truncatingIfNeeded: pixel) &+ ((this[column + 1] &+ 8) &>> 4)
        // Full and no alpha stay as they are: half of a pixel is nothing at an edge.
        var clamped = wanted.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
        if pixel.w == 0 || pixel.w == 255 { clamped.w = Int32(pixel.w) }
        let colour = pixel.w == 0 ? Pixel() : Pixel(truncatingIfNeeded: clamped)
        let index = nearest.index(of: colour)
        indices.append(index)
        if pixel.w == 0 { continue }
        let error = clamped &- SIMD4<Int32>(truncatingIfNeeded: palette[Int(index)])
        this[column + 2] &+= error &* 7
        next[column] &+= error &* 3
        next[column + 1] &+= error &* 5
        next[column + 2] &+= error
      }
      (this, next) = (next, errors(width))
    }
    return indices
  }

  private static func errors(_ width: Int) -> [SIMD4<Int32>] { Array(repeating: SIMD4(), count: width + 2) }
}

/// Finds the nearest colour of a palette, and remembers it for all colours that share their highest bits.
private struct NearestColour {
  private let palette: [SIMD4<Int32>]
  private var known = [Int16](repeating: -1, count: ColourBox.cells)

  init(_ palette: [Pixel]) { self.palette = palette.map { SIMD4(truncatingIfNeeded: $0) } }

  mutating func index(of colour: Pixel) -> UInt8 {
    let cell = ColourBox.cell(of: colour)
    if known[cell] < 0 { known[cell] = search(SIMD4(truncatingIfNeeded: colour)) }
    return UInt8(truncatingIfNeeded: known[cell])
  }

  private func search(_ colour: SIMD4<Int32>) -> Int16 {
    var (best, bestDistance) = (0, Int32.max)
    for (index, candidate) in palette.enumerated() {
      let apart = candidate &- colour
      let distance = (apart &* apart &* SIMD4(3, 4, 2, 4)).wrappedSum()
      if distance < bestDistance { (best, bestDistance) = (index, distance) }
    }
    return Int16(best)
  }
}
