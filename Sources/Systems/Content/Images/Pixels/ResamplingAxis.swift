/// The part of a picture that is resampled, in pixels and fractions of such.
struct SourceArea: Equatable {
  var columns: Range<Double>
  var rows: Range<Double>
}

/// For each pixel along one side of the result, the pixels of the source that contribute to it, and their weights.
///
/// The weights form a triangle as wide as two pixels of the result, and at least as two of the source: bilinear when
/// enlarging, without aliasing when shrinking.
struct ResamplingAxis {
  let taps: Int
  /// The first pixel of the source, for each pixel of the result.
  private(set) var starts: [Int] = []
  /// The weights, `taps` for each pixel of the result; those of one pixel add up to 1.
  private(set) var weights: [Float] = []
  /// The pixels of the source that are needed.
  let needed: Range<Int>

  /// Creates the weights for a number of result pixels.
  ///
  /// - Parameter range: the part of the source that is scaled; it contains at least a part of one pixel.
  init(_ range: Range<Double>, to count: Int) {
    let scale = (range.upperBound - range.lowerBound) / Double(count)
    let reach = max(1, scale)
    needed = Int(range.lowerBound)..<Int(range.upperBound.rounded(.up))
    taps = min(Int((2 * reach).rounded(.up)), needed.count)
    starts.reserveCapacity(count)
    weights.reserveCapacity(count * taps)
    for index in 0..<count {
      let centre = range.lowerBound + (Double(index) + 0.5) * scale
      let first = Int((centre - reach + 0.5).rounded(.down))
      let start = max(needed.lowerBound, min(first, needed.upperBound - taps))
      starts.append(start)
      let parts = (0..<taps).map { max(0, 1 - abs(Double(start + $0) + 0.5 - centre) / reach) }
      let sum = parts.reduce(0, +)
      weights += parts.map { Float($0 / sum) }
    }
  }
}
