import MeasuredHost
import BenchmarkResults

extension Workload {
  /// What a client of the emulator waits for, beside C that has the same statement prepared and sends what comes of it.
  static let emulatorRequests = [
    request(
      "emulator-lookup", "The emulator finds a row by its key, beside the same statement behind a server in C",
      .lookup(), count: 2000),
    request(
      "emulator-join", "A filtered list of 100 rows over two joins, beside the same statement behind a server in C",
      .join, count: 500),
    request(
      "emulator-insert", "The emulator inserts a row durably, beside the same statement behind a server in C", .insert,
      count: 500),
  ]

  private static func request(
    _ name: String, _ summary: String, _ call: MeasuredProject.Call, count: Int
  ) -> Workload {
    Workload(name: name, summary: summary, unit: .microseconds, count: count) { bench, count in
      try await MeasuredEmulator.run(in: bench.folder) { try await $0.times(of: call, count) }
    } floor: { bench, count in
      try await MeasuredEmulator.run(in: bench.folder) { try await $0.floor(of: call, count) }
    }
  }
}
