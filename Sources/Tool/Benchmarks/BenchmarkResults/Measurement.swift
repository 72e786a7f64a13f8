import HTML
package import JSON

/// A workload's result beside the floor of the same run.
package struct Measurement: Sendable, Equatable {
  /// The name of the workload.
  package var workload: String
  /// The median of the rounds.
  package var value: Double
  /// The unit of the numbers.
  package var unit: Unit
  /// The 99th percentile; `nil` where a workload has only one number.
  package var p99: Double?
  /// The result of the floor: the least that the kernel needs for the same work.
  package var floor: Double
  /// The value as a multiple of the floor: the median of the ratios of each round.
  package var ratio: Double
  /// The instructions of one use, on both sides together; `nil` where they were not counted.
  package var instructions: Double?

  /// The rounds of a workload: product and floor, taken one after the other.
  package init(workload: String, unit: Unit, rounds: [(product: Reading, floor: Reading)]) {
    self.workload = workload
    self.unit = unit
    value = Samples(rounds.map(\.product.value)).median
    floor = Samples(rounds.map(\.floor.value)).median
    ratio = Samples(rounds.filter { $0.floor.value > 0 }.map { $0.product.value / $0.floor.value }).median
    let p99s = rounds.compactMap(\.product.p99)
    p99 = p99s.isEmpty ? nil : Samples(p99s).median
  }

  /// `{workload, value, unit, p99?, floor, ratio, instructions?}`
  package var json: JSONValue {
    var object = JSONObject()
    object["workload"] = .string(workload)
    object["value"] = .double(rounded(value))
    object["unit"] = .string(unit.rawValue)
    if let p99 { object["p99"] = .double(rounded(p99)) }
    object["floor"] = .double(rounded(floor))
    object["ratio"] = .double(rounded(ratio))
    if let instructions { object["instructions"] = .double(instructions.rounded()) }
    return .object(object)
  }

  /// How many times the floor it takes; of what is counted by the second, how many times as much the floor does. Less is
  /// better, 1 is the floor.
  var cost: Double { unit.moreIsBetter ? (ratio > 0 ? 1 / ratio : 0) : ratio }

  /// The measurements as bars in a picture in SVG, less is better.
  package static func picture(of measurements: [Measurement]) -> String {
    BarPlot(
      title: "Times the floor of the same run (1 is the least that the kernel needs)",
      bars: measurements.map { one in
        BarPlot.Bar(label: one.workload, value: one.cost, caption: "\(Number.text(one.cost))x")
      }
    ).document
  }

  private func rounded(_ number: Double) -> Double {
    number.isFinite && abs(number) < 1e12 ? (number * 10_000).rounded() / 10_000 : 0
  }
}

/// What one round of a workload came to.
package struct Reading: Sendable, Equatable {
  /// The number of the round.
  package var value: Double
  /// The 99th percentile; `nil` where the workload has only one number.
  package var p99: Double?

  /// Creates a reading.
  package init(_ value: Double, p99: Double? = nil) {
    self.value = value
    self.p99 = p99
  }

  /// Median and 99th percentile of a series.
  package init(_ samples: Samples) { self.init(samples.median, p99: samples.percentile(99)) }
}

/// What a number counts, and which way is better.
package enum Unit: String, Sendable, CaseIterable {
  case milliseconds = "ms"
  case microseconds = "us"
  case requestsPerSecond = "req/s"
  case megabytesPerSecond = "MB/s"
  case mebibytes = "MiB"
  case kibibytes = "KiB"
  case percent = "%"
  case none = ""

  /// Whether a larger number is better.
  package var moreIsBetter: Bool { self == .requestsPerSecond || self == .megabytesPerSecond }
}

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
