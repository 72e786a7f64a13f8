/// Times or amounts of one series, sorted.
package struct Samples: Sendable {
  package let sorted: [Double]

  package init(_ values: [Double]) { sorted = values.sorted() }

  /// Nanoseconds as another unit: 1,000 for microseconds, 1,000,000 for milliseconds.
  package init(nanoseconds: [UInt64], per unit: Double) { self.init(nanoseconds.map { Double($0) / unit }) }

  package var isEmpty: Bool { sorted.isEmpty }

  /// The smallest value that a share of the values does not exceed; 0 for an empty series.
  package func percentile(_ percent: Double) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// The middle value, or the mean of the two in the middle.
  package var median: Double {
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
