/// The characters that may stand at one place of a text.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<UInt32>]
  /// Whether the set has the characters that are in none of the ranges.
  var isNegated = false

  init(_ ranges: [ClosedRange<UInt32>] = [], isNegated: Bool = false) {
    (self.ranges, self.isNegated) = (ranges, isNegated)
  }

  /// Creates a set of one character.
  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  /// The one character of the set; nil for a set of several.
  var only: Unicode.Scalar? {
    ranges.count == 1 && ranges[0].count == 1 && !isNegated ? Unicode.Scalar(ranges[0].lowerBound) : nil
  }

  /// Whether the set has a character.
  ///
  /// - Parameter folding: which other cases of a letter count as the letter; nil for none.
  func contains(_ scalar: Unicode.Scalar, _ folding: PatternDialect.Folding?) -> Bool {
    var isFound = holds(scalar.value)
    if !isFound, let folding { isFound = holdsAnotherCase(of: scalar, folding) }
    return isFound != isNegated
  }

  private func holds(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } }

  private func holdsAnotherCase(of scalar: Unicode.Scalar, _ folding: PatternDialect.Folding) -> Bool {
    switch folding {
    case .ascii: scalar.isASCII && scalar.properties.isAlphabetic && holds(scalar.value ^ 0x20)
    case .unicode:
      [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].contains { form in
        form.unicodeScalars.count == 1 && form.unicodeScalars.first.map { holds($0.value) } ?? false
      }
    }
  }
}
