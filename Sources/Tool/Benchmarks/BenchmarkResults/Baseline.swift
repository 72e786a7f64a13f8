import JSON

/// The ratios that are committed, and which of a run are worse.
///
/// Ratios belong to a processor: another one runs the product two times slower beside a floor that is mostly the
/// kernel.
package struct Baseline: Sendable, Equatable {
  /// A ratio that is this much worse is a regression: noise stays below it.
  package static let tolerance = 0.25

  /// Ratios by workload, by the processor's name.
  package var ratios: [String: [String: Double]] = [:]

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

  package init(_ measurements: [Measurement], on processor: String) {
    for measurement in measurements where measurement.ratio > 0 {
      ratios[processor, default: [:]][measurement.workload] = measurement.ratio
    }
  }

  /// - Parameter text: an array of objects with `processor`, `workload` and `ratio`, as ``text`` writes it.
  package init(parsing text: String) throws {
    guard case .array(let rows) = try JSONValue(parsing: text) else {
      throw BenchmarkError("The baseline is no array.")
    }
    for row in rows {
      guard let processor = row["processor"]?.stringValue, let workload = row["workload"]?.stringValue,
        let ratio = row["ratio"]?.doubleValue, ratio > 0
      else {
        throw BenchmarkError("A row of the baseline lacks its processor, its workload or a ratio above 0: \(row)")
      }
      ratios[processor, default: [:]][workload] = ratio
    }
  }

  /// One row in a line, by name.
  package var text: String {
    let rows = ratios.sorted { $0.key < $1.key }.flatMap { processor, ratios in
      let name = JSONCoding.text(of: .string(processor))
      return ratios.sorted { $0.key < $1.key }.map { row in
        "  {\"processor\": \(name), \"workload\": \"\(row.key)\", \"ratio\": \(Number.text(row.value, digits: 3))}"
      }
    }
    return "[\n\(rows.joined(separator: ",\n"))\n]\n"
  }

  /// The measurements that are worse by more than ``tolerance``; a workload without a baseline is none.
  package func regressions(in measurements: [Measurement], on processor: String) -> [Regression] {
    measurements.compactMap { measurement in
      guard let before = ratios[processor]?[measurement.workload], measurement.ratio > 0 else { return nil }
      let now = measurement.ratio
      let loss = measurement.unit.moreIsBetter ? before / now - 1 : now / before - 1
      guard loss > Self.tolerance else { return nil }
      return Regression(workload: measurement.workload, before: before, now: now, loss: loss)
    }
  }

  /// These ratios with those of a run in their place.
  package func updated(with measurements: [Measurement], on processor: String) -> Baseline {
    var baseline = self
    baseline.ratios.merge(Baseline(measurements, on: processor).ratios) { old, new in old.merging(new) { $1 } }
    return baseline
  }
}

/// Why a workload or the run could not go on: one sentence.
package struct BenchmarkError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
