import BenchmarkResults
import CFloor
import EchoContract
import ExtensionHosting
import ExtensionProtocol

extension Workload {
  package static let inFlight = 64

  package static let pipe = Workload(
    name: "pipe", summary: "Requests a second with 64 in flight, each end on a CPU of its own",
    unit: .requestsPerSecond, count: 100_000
  ) { bench, count in
    Reading(try await bench.pipeline(count: count, at: .twoCPUs))
  } floor: { bench, count in
    Reading(try bench.floor.pipeline(inFlight: inFlight, count: count, at: .twoCPUs))
  }
}

extension Bench {
  /// Requests a second.
  package func pipeline(_ choice: SandboxChoice = .full, count: Int, at placement: Placement) async throws -> Double {
    try await withHost(choice) { host in
      try await host.withEcho(at: placement) { echo in
        try await withTaskExecutorPreference(host.loop) {
          try await echo.burst(count: count / 10)
          let start = floor_now()
          try await echo.burst(count: count)
          return Double(count) / (Double(floor_now() - start) / 1e9)
        }
      }
    }
  }
}

extension ExtensionProcess {
  /// Calls from as many tasks as requests may be in flight.
  fileprivate func burst(count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<Workload.inFlight {
        let share = count / Workload.inFlight + (index < count % Workload.inFlight ? 1 : 0)
        group.addTask {
          for _ in 0..<share { _ = try await self.call(Workload.echoText) }
        }
      }
      try await group.waitForAll()
    }
  }
}
