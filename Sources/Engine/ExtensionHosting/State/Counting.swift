import ExtensionProtocol

extension Int64 {
  /// The largest count that is kept in a file of the host's state.
  package static let largestCount = Int64(CountBounds.range.upperBound)

  /// The sum of two counts; the largest count when that is more.
  func countingUp(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? Self.largestCount : Swift.min(sum, Self.largestCount)
  }
}

extension Int {
  /// The next count; the largest count stays what it is.
  package var countedUp: Int { Int(Int64(self).countingUp(1)) }
}
