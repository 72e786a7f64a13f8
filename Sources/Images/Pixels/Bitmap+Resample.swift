extension Bitmap {
  /// A part of the picture in another size.
  func resampled(_ area: SourceArea, to target: PixelSize) -> Bitmap {
    if let part = part(area), part.size == target { return copied(part) }
    let columns = ResamplingAxis(area.columns, to: target.width)
    let rows = ResamplingAxis(area.rows, to: target.height)
    let source = isOpaque ? pixels : pixels.map(\.multiplied)
    let narrowed = Self.narrowed(source, stride: size.width, columns, rows: rows.needed)
    let result = Self.lowered(narrowed, stride: target.width, rows)
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

  /// The rows that are needed, each resampled along itself.
  private static func narrowed(
    _ source: [Pixel], stride: Int, _ columns: ResamplingAxis, rows: Range<Int>
  ) -> [Pixel] {
    let (starts, weights, taps) = (columns.starts, columns.weights, columns.taps)
    var narrowed = [Pixel](repeating: Pixel(), count: rows.count * starts.count)
    var index = 0
    for row in rows {
      var weight = 0
      for start in starts {
        var sum = SIMD4<Int32>(repeating: ResamplingAxis.one / 2)
        var position = row * stride + start
        for _ in 0..<taps {
          sum &+= SIMD4<Int32>(truncatingIfNeeded: source[position]) &* weights[weight]
          position += 1
          weight += 1
        }
        narrowed[index] = Pixel(truncatingIfNeeded: sum &>> 14)
        index += 1
      }
    }
    return narrowed
  }

  /// - Parameter source: the rows that `rows` needs.
  private static func lowered(_ source: [Pixel], stride: Int, _ rows: ResamplingAxis) -> [Pixel] {
    var lowered = [Pixel](repeating: Pixel(), count: rows.starts.count * stride)
    var sums = [SIMD4<Int32>](repeating: SIMD4(), count: stride)
    for (row, start) in rows.starts.enumerated() {
      for column in 0..<stride { sums[column] = SIMD4(repeating: ResamplingAxis.one / 2) }
      for tap in 0..<rows.taps {
        let weight = rows.weights[row * rows.taps + tap]
        let first = (start + tap - rows.needed.lowerBound) * stride
        for column in 0..<stride {
          sums[column] &+= SIMD4<Int32>(truncatingIfNeeded: source[first + column]) &* weight
        }
      }
      for column in 0..<stride {
        lowered[row * stride + column] = Pixel(truncatingIfNeeded: sums[column] &>> 14)
      }
    }
    return lowered
  }
}

extension Pixel {
  /// Colours multiplied by alpha.
  fileprivate var multiplied: Pixel {
    if w == 255 { return self }
    let factors = SIMD4<UInt32>(UInt32(w), UInt32(w), UInt32(w), 255)
    return Pixel(truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: self) &* factors &+ 127) / 255)
  }

  /// Colours that are not multiplied by alpha any more.
  fileprivate var divided: Pixel {
    if w == 255 { return self }
    if w == 0 { return Pixel() }
    let alpha = UInt32(w)
    var colours = (SIMD4<UInt32>(truncatingIfNeeded: self) &* 255 &+ alpha / 2) / alpha
    colours.replace(with: 255, where: colours .> 255)
    colours.w = alpha
    return Pixel(truncatingIfNeeded: colours)
  }
}
