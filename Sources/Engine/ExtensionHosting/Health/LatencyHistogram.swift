import ExtensionProtocol

/// Times of one kind in 64 steps of a factor of √2 from 1 µs to an hour: adding one is an array increment, and several
/// histograms can be added up. A quantile is right to a factor of √2; the largest time is exact.
public struct LatencyHistogram: Sendable, Codable, Equatable {
  static let steps = 64

  /// Up to the last step that was used: a host keeps some histograms for each of a thousand processes.
  private var counts: [Int64] = []
  /// How many times were added.
  public private(set) var count: Int64 = 0
  /// The longest, in nanoseconds.
  public private(set) var longest: Int64 = 0

  private var microseconds: Int64 = 0
  /// All of them together, in nanoseconds.
  public var sum: Int64 { microseconds.multipliedReportingOverflow(by: 1000).overflow ? .max : microseconds * 1000 }

  /// Makes a histogram without any times.
  public init() {}

  /// Adds a time, in nanoseconds.
  public mutating func add(nanoseconds: UInt64) {
    let step = Self.step(of: nanoseconds)
    reach(step + 1)
    counts[step] = counts[step].countingUp(1)
    count = count.countingUp(1)
    microseconds = microseconds.countingUp(Int64(clamping: nanoseconds / 1000 + (nanoseconds % 1000 >= 500 ? 1 : 0)))
    longest = max(longest, min(Int64(clamping: nanoseconds), Int64.largestCount))
  }

  /// Adds what another histogram counted.
  public mutating func add(_ other: LatencyHistogram) {
    reach(other.counts.count)
    for step in other.counts.indices { counts[step] = counts[step].countingUp(other.counts[step]) }
    count = count.countingUp(other.count)
    microseconds = microseconds.countingUp(other.microseconds)
    longest = max(longest, other.longest)
  }

  private mutating func reach(_ steps: Int) {
    if counts.count < steps { counts += repeatElement(0, count: steps - counts.count) }
  }

  /// The time that a part of all stays below, in nanoseconds: the upper end of its step, but never more than the longest.
  ///
  /// - Parameter part: between 0 and 1, for example 0.99.
  /// - Returns: `nil` when nothing was added.
  public func quantile(_ part: Double) -> Int64? {
    guard count > 0 else { return nil }
    let rank = max(1, Int64((Double(count) * part).rounded(.up)))
    var seen: Int64 = 0
    for (step, amount) in counts.enumerated() {
      seen += amount
      if seen >= rank { return min(longest, Self.upperEnd(of: step)) }
    }
    return longest
  }

  /// How many times are below 1 µs, 4 µs, and so on by a factor of four: the ends in nanoseconds, and the numbers.
  var cumulativeSteps: [(end: Int64, count: Int64)] {
    var seen: Int64 = 0
    return (0..<Self.steps).compactMap { step in
      if step < counts.count { seen = seen.countingUp(counts[step]) }
      return step % 4 == 0 ? (Self.upperEnd(of: step), seen) : nil
    }
  }

  /// Two steps for each power of two of microseconds.
  static func step(of nanoseconds: UInt64) -> Int {
    let microseconds = nanoseconds / 1000
    guard microseconds > 0 else { return 0 }
    let power = UInt64.bitWidth - 1 - microseconds.leadingZeroBitCount
    // 1.41421 times the power of two, in whole numbers.
    let isUpperHalf = Double(microseconds) >= Double(UInt64(1) << UInt64(power)) * 1.4142135623730951
    return min(steps - 1, 1 + 2 * power + (isUpperHalf ? 1 : 0))
  }

  /// Returns the upper end of a step, in nanoseconds.
  static func upperEnd(of step: Int) -> Int64 {
    guard step > 0 else { return 1000 }
    let power = Double(UInt64(1) << UInt64((step - 1) / 2))
    return Int64((step - 1) % 2 == 0 ? power * 1_414.2135623730951 : power * 2_000)
  }

  /// Decodes what ``encode(to:)`` wrote. Steps beyond the last are left out, and a negative count is damage.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    counts = Array(try container.decode([Int64].self, forKey: .counts).prefix(Self.steps))
    while counts.last == 0 { counts.removeLast() }
    guard counts.isInside(CountBounds.range) else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts, in: container, debugDescription: "A count is out of bounds.")
    }
    count = counts.reduce(0) { $0.countingUp($1) }
    longest = try container.decode(NonNegative<Int64>.self, forKey: .longest).wrappedValue
    // A file of before has no sum: as if each time were the end of its step.
    microseconds =
      try container.decodeIfPresent(NonNegative<Int64>.self, forKey: .microseconds)?.wrappedValue
      ?? counts.enumerated().reduce(0) { sum, step in
        let time = Self.upperEnd(of: step.offset) / 1000
        return sum.countingUp(step.element.multipliedReportingOverflow(by: time).overflow ? .max : step.element * time)
      }
  }

  /// Encodes the counts up to the last step that is not 0, and the longest time.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(counts, forKey: .counts)
    try container.encode(longest, forKey: .longest)
    try container.encode(microseconds, forKey: .microseconds)
  }

  private enum CodingKeys: String, CodingKey { case counts, longest, microseconds }
}
