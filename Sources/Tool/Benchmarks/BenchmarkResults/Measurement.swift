package import JSON

/// A workload's result beside the floor of the same run.
package struct Measurement: Sendable, Equatable {
  package var workload: String
  package var value: Double
  package var unit: Unit
  package var p99: Double?
  package var floor: Double
  /// The value as a multiple of the floor: the median of the ratios of each round.
  package var ratio: Double

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

  /// `{workload, value, unit, p99?, floor, ratio}`
  package var json: JSONValue {
    var object = JSONObject()
    object["workload"] = .string(workload)
    object["value"] = .double(rounded(value))
    object["unit"] = .string(unit.rawValue)
    if let p99 { object["p99"] = .double(rounded(p99)) }
    object["floor"] = .double(rounded(floor))
    object["ratio"] = .double(rounded(ratio))
    return .object(object)
  }

  private func rounded(_ number: Double) -> Double {
    number.isFinite && abs(number) < 1e12 ? (number * 10_000).rounded() / 10_000 : 0
  }
}

/// What one round of a workload came to.
package struct Reading: Sendable, Equatable {
  package var value: Double
  package var p99: Double?

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

  package var moreIsBetter: Bool { self == .requestsPerSecond || self == .megabytesPerSecond }
}
