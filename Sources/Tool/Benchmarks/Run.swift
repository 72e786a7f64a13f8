import MeasuredHost
import BenchmarkResults
import CommandLineTool
import JSON

/// The whole table: every workload, the file of results, the comparison with the baseline.
struct Run {
  let bench: Bench
  let console: Console
  let workloads: [Workload]
  /// Where the results are written.
  let output: String
  /// Where the baseline is read and, on demand, written.
  let baseline: String
  let updatesBaseline: Bool

  func run() async throws -> ExitStatus {
    var measurements: [Measurement] = []
    for workload in workloads {
      console.note("\(workload.name): \(workload.summary)")
      do {
        measurements.append(try await workload.run(bench))
      } catch {
        console.warn("\(workload.name) was left out: \(error)")
      }
    }
    console.print(Self.table(measurements))
    let document = JSONCoding.prettyText(of: .array(measurements.map(\.json)))
    try BenchFiles.write("\(document)\n", to: output)
    let picture = output.hasSuffix(".json") ? "\(output.dropLast(5)).svg" : "\(output).svg"
    try BenchFiles.write(Measurement.picture(of: measurements), to: picture)
    console.note("The results are in \(output), as a picture in \(picture).")
    try compare(measurements)
    return measurements.isEmpty ? .failure : .success
  }

  private func compare(_ measurements: [Measurement]) throws {
    let before = try BenchFiles.read(baseline).map { try Baseline(parsing: $0) } ?? Baseline()
    let processor = Processor.name(in: BenchFiles.read("/proc/cpuinfo") ?? "")
    for regression in before.regressions(in: measurements, on: processor) { console.print("\(regression.description)") }
    if before.ratios[processor] == nil, !updatesBaseline {
      console.note("Nothing is compared: the baseline has no ratios of this processor, \(processor).")
    }
    if updatesBaseline {
      try BenchFiles.write(before.updated(with: measurements, on: processor).text, to: baseline)
      console.note("The baseline \(baseline) has the ratios of this run.")
    }
  }

  static func table(_ measurements: [Measurement]) -> TextTable {
    var table = TextTable([
      .init("WORKLOAD"), .init("MEDIAN", .right), .init(""), .init("P99", .right), .init("FLOOR", .right),
      .init("RATIO", .right), .init("INSTRUCTIONS", .right),
    ])
    for row in measurements {
      table.add([
        .init(row.workload), .init(Number.text(row.value)), .init(row.unit.rawValue),
        .init(row.p99.map { Number.text($0) } ?? ""), .init(Number.text(row.floor)),
        .init("\(Number.text(row.ratio))x", .bold), .init(row.instructions.map { Number.text($0) } ?? ""),
      ])
    }
    return table
  }
}
