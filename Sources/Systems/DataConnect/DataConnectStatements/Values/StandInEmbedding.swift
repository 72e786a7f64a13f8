/// Makes vectors of texts without a model, so that `_embed` and `compare_embed` run on one machine.
///
/// It stands in for the model that an operation names, and knows nothing of meaning: texts are near each other when they
/// share words and parts of words. The same text always has the same vector, whichever model is named.
enum StandInEmbedding {
  /// Returns a vector of length 1, rounded to four decimals.
  ///
  /// Every word and every three neighboring letters of it add 1 to, or take 1 from, a place that their hash chooses.
  ///
  /// - Parameters:
  ///   - text: any text; letter case and everything that is neither a letter nor a digit do not count.
  ///   - size: how many numbers the vector has.
  static func vector(of text: String, size: Int) -> [Double] {
    guard size > 0 else { return [] }
    var sums = [Double](repeating: 0, count: size)
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      let letters = Array(" \(word) ".unicodeScalars)
      add(letters[...], to: &sums)
      if letters.count > 3 {
        for start in 0...(letters.count - 3) { add(letters[start..<(start + 3)], to: &sums) }
      }
    }
    let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
    if length == 0 {
      // A vector of zeros has no direction, and no angle to another.
      sums[0] = 1
      return sums
    }
    return sums.map { ($0 / length * 10_000).rounded() / 10_000 + 0 }
  }

  private static func add(_ part: ArraySlice<Unicode.Scalar>, to sums: inout [Double]) {
    // FNV-1a, whose low bit says the sign.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for scalar in part { hash = (hash ^ UInt64(scalar.value)) &* 0x100_0000_01b3 }
    let place = Int((hash >> 1) % UInt64(sums.count))
    sums[place] += hash & 1 == 0 ? 1 : -1
  }
}
