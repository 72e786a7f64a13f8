extension Bitmap {
  /// A part of the picture in another size.
  func resampled(_ area: SourceArea, to target: PixelSize) -> Bitmap {
    if let part = part(area), part.size == target { return copied(part) }
    let columns = ResamplingAxis(area.columns, to: target.width)
    let rows = ResamplingAxis(area.rows, to: target.height)
    let source = isOpaque ? pixels : pixels.map(\.multiplied)
    let result = Self.resampled(source, stride: size.width, columns, rows)
    return Bitmap(target, pixels: isOpaque ? result : result.map(\.divided), isOpaque: isOpaque ? true : nil)
  }

  /// The area, when it has whole pixels.
  private func part(_ area: SourceArea) -> PixelArea? {
    let bounds = [area.columns.lowerBound, area.columns.upperBound, area.rows.lowerBound, area.rows.upperBound]
    guard bounds.allSatisfy({ $0 == $0.rounded() }) else { return nil }
    let (left, right, top, bottom) = (Int(bounds[0]), Int(bounds[1]), Int(bounds[2]), Int(bounds[3]))
    return PixelArea(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
  }

  private func copied(_ area: PixelArea) -> Bitmap {
    if area.size == size { return self }
    var copy: [Pixel] = []
    copy.reserveCapacity(area.size.width * area.size.height)
    for row in area.y..<(area.y + area.size.height) {
      let start = row * size.width + area.x
      copy += pixels[start..<(start + area.size.width)]
    }
    return Bitmap(area.size, pixels: copy, isOpaque: isOpaque ? true : nil)
  }

  /// Each row that is needed is resampled along itself, once, and kept for as long as rows of the result are made of it.
  private static func resampled(
    _ source: [Pixel], stride: Int, _ columns: ResamplingAxis, _ rows: ResamplingAxis
  ) -> [Pixel] {
    let width = columns.starts.count
    var kept = [SIMD4<Float>](repeating: SIMD4(), count: width * rows.taps)
    var sums = [SIMD4<Float>](repeating: SIMD4(), count: width)
    var result: [Pixel] = []
    result.reserveCapacity(width * rows.starts.count)
    var next = rows.needed.lowerBound
    for (row, start) in rows.starts.enumerated() {
      for needed in max(next, start)..<max(next, start + rows.taps) {
        narrow(source, from: needed * stride, columns, into: &kept, at: needed % rows.taps * width)
      }
      next = max(next, start + rows.taps)
      for column in 0..<width { sums[column] = SIMD4() }
      for tap in 0..<rows.taps {
        add(kept, from: (start + tap) % rows.taps * width, times: rows.weights[row * rows.taps + tap], to: &sums)
      }
      for sum in sums { result.append(Pixel(rounding: sum)) }
    }
    return result
  }

  private static func narrow(
    _ source: [Pixel], from start: Int, _ columns: ResamplingAxis, into row: inout [SIMD4<Float>], at first: Int
  ) {
    let (source, starts, weights) = (source.span, columns.starts.span, columns.weights.span)
    var row = row.mutableSpan
    var weight = 0
    for column in starts.indices {
      var sum = SIMD4<Float>()
      var position = start + starts[column]
      for _ in 0..<columns.taps {
        sum += source[position].numbers * weights[weight]
        position &+= 1
        weight &+= 1
      }
      row[first &+ column] = sum
    }
  }

  private static func add(
    _ kept: [SIMD4<Float>], from start: Int, times weight: Float, to sums: inout [SIMD4<Float>]
  ) {
    let kept = kept.span.extracting(start..<(start + sums.count))
    var sums = sums.mutableSpan
    for column in sums.indices { sums[column] += kept[column] * weight }
  }
}

extension Pixel {
  fileprivate var numbers: SIMD4<Float> { SIMD4<Float>(Float(x), Float(y), Float(z), Float(w)) }

  /// - Parameter numbers: 0 to 255, or a little beyond for want of precision.
  fileprivate init(rounding numbers: SIMD4<Float>) {
    // Beyond this number there are no fractions, so the lowest bits are those of the rounded one.
    let shifted = numbers + 8_388_608
    self.init(
      truncatingIfNeeded: SIMD4<UInt32>(
        shifted.x.bitPattern, shifted.y.bitPattern, shifted.z.bitPattern, shifted.w.bitPattern))
  }

  /// Colours multiplied by alpha.
  fileprivate var multiplied: Pixel {
    if w == 255 { return self }
    let factors = SIMD4<UInt32>(UInt32(w), UInt32(w), UInt32(w), 255)
    return Pixel(truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: self) &* factors &+ 127) / 255)
  }

  /// Colours that are not multiplied by alpha any more. None of them was more than alpha: no weight is negative.
  fileprivate var divided: Pixel {
    if w == 255 { return self }
    if w == 0 { return Pixel() }
    let alpha = UInt32(w)
    var colours = (SIMD4<UInt32>(truncatingIfNeeded: self) &* 255 &+ alpha / 2) / alpha
    colours.w = alpha
    return Pixel(truncatingIfNeeded: colours)
  }
}
