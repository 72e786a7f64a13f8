import BenchmarkResults
import CFloor
import EchoContract
import ExtensionHosting

extension Workload {
  /// From the decision to run an extension to its first answer.
  package static let cold = SandboxChoice.allCases.map { choice in
    Workload(
      name: "cold-\(choice.rawValue)",
      summary: "Start an extension to its first answer, \(choice == .none ? "without a sandbox" : "\(choice) sandbox")",
      unit: .milliseconds, count: 30
    ) { bench, count in
      Reading(Samples(nanoseconds: try await bench.coldStarts(choice, count: count), per: 1e6))
    } floor: { bench, count in
      Reading(Samples(nanoseconds: try bench.floor.cold(count: count), per: 1e6))
    }
  }
}

extension Bench {
  /// Nanoseconds from a start to the first answer, each; the end of the process is not counted.
  package func coldStarts(_ choice: SandboxChoice, count: Int) async throws -> [UInt64] {
    try await withHost(choice) { host in
      var times: [UInt64] = []
      for index in 0..<(count + count / 10 + 1) {
        let start = floor_now()
        let end = try await host.withEcho { echo in
          _ = try await echo.call(EchoText(text: "first"))
          return floor_now()
        }
        if index > count / 10 { times.append(end - start) }
      }
      return times
    }
  }
}
