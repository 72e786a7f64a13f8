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
    /// The name of the workload.
    package var workload: String
    /// The ratio of the baseline.
    package var before: Double
    /// The ratio of the run.
    package var now: Double
    /// 0.4 for 40 % worse.
    package var loss: Double

    /// One sentence with both ratios and the loss in percent.
    package var description: String {
      "regression: \(workload) is \(Number.text(loss * 100, digits: 0)) % worse than the baseline "
        + "(\(Number.text(before))x then, \(Number.text(now))x now)"
    }
  }

  /// Creates an empty baseline.
  package init() {}

  /// Creates a baseline from the ratios of a run.
  ///
  /// - Parameter processor: the name of the processor that the run was on.
  package init(_ measurements: [Measurement], on processor: String) {
    for measurement in measurements where measurement.ratio > 0 {
      ratios[processor, default: [:]][measurement.workload] = measurement.ratio
    }
  }

  /// - Parameter text: an array of objects with `processor`, `workload` and `ratio`, as ``text`` writes it.
  package init(parsing text: String) throws {
    guard case .array(let rows) = try JSONValue(parsing: text) else {
      throw BenchmarkError("The baseline is not an array.")
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
  /// The sentence.
  package let description: String
  /// Creates an error from one sentence.
  package init(_ description: String) { self.description = description }
}

/// The processor that a run is measured on.
package enum Processor {
  /// The name of the first one.
  ///
  /// - Parameter description: what the kernel says, `/proc/cpuinfo`.
  package static func name(in description: String) -> String {
    for line in description.split(separator: "\n") where line.hasPrefix("model name") || line.hasPrefix("CPU part") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[line.index(after: colon)...].drop { $0 == " " }
      if !name.isEmpty { return String(name) }
    }
    return "unknown"
  }
}
