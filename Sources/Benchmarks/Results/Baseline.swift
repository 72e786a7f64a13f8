import JSONRPC

/// The ratios that are committed, and which of a run are worse.
package struct Baseline: Sendable, Equatable {
  /// A ratio that is this much worse is a regression: noise stays below it.
  package static let tolerance = 0.25

  /// Ratios by workload.
  package var ratios: [String: Double] = [:]

  /// A ratio that became worse.
  package struct Regression: Sendable, Equatable, CustomStringConvertible {
    package var workload: String
    package var before: Double
    package var now: Double
    /// 0.4 for 40 % worse.
    package var loss: Double

    package var description: String {
      "regression: \(workload) is \(Number.text(loss * 100, digits: 0)) % worse than the baseline "
        + "(\(Number.text(before))x then, \(Number.text(now))x now)"
    }
  }

  package init() {}

  package init(_ measurements: [Measurement]) {
    for measurement in measurements where measurement.ratio > 0 { ratios[measurement.workload] = measurement.ratio }
  }

  /// - Parameter text: an array of objects with `workload` and `ratio`, as ``text`` writes it.
  package init(parsing text: String) throws {
    guard case .array(let rows) = try JSONValue(parsing: text) else {
      throw BenchmarkError("The baseline is no array.")
    }
    for row in rows {
      guard let workload = row["workload"]?.stringValue, let ratio = row["ratio"]?.doubleValue, ratio > 0 else {
        throw BenchmarkError("A row of the baseline lacks its workload or a ratio above 0: \(row)")
      }
      ratios[workload] = ratio
    }
  }

  /// One row in a line, by name.
  package var text: String {
    let rows = ratios.sorted { $0.key < $1.key }.map { row in
      "  {\"workload\": \"\(row.key)\", \"ratio\": \(Number.text(row.value, digits: 3))}"
    }
    return "[\n\(rows.joined(separator: ",\n"))\n]\n"
  }

  /// The measurements that are worse by more than ``tolerance``; a workload without a baseline is none.
  package func regressions(in measurements: [Measurement]) -> [Regression] {
    measurements.compactMap { measurement in
      guard let before = ratios[measurement.workload], before > 0, measurement.ratio > 0 else { return nil }
      let now = measurement.ratio
      let loss = measurement.unit.moreIsBetter ? before / now - 1 : now / before - 1
      guard loss > Self.tolerance else { return nil }
      return Regression(workload: measurement.workload, before: before, now: now, loss: loss)
    }
  }

  /// These ratios with those of a run in their place.
  package func updated(with measurements: [Measurement]) -> Baseline {
    var baseline = self
    baseline.ratios.merge(Baseline(measurements).ratios) { _, new in new }
    return baseline
  }
}
