import BenchmarkResults
import CFloor
import EchoContract
import ExtensionHosting
import Glibc

extension Workload {
  /// From a user's action to the first answer of an extension that was started ahead, against one round trip.
  package static let warm = Workload(
    name: "warm", summary: "A user action to the first answer, the extension started ahead", unit: .microseconds,
    count: 5000
  ) { bench, count in
    Reading(Samples(nanoseconds: try await bench.warmActions(count: count), per: 1000))
  } floor: { bench, count in
    let times = try bench.floor.roundTrips(Floor.request, count: count, at: .oneCPU)
    return Reading(Samples(nanoseconds: times, per: 1000))
  }
}

extension Bench {
  /// Nanoseconds of each action.
  ///
  /// - Throws: `BenchmarkError` for an extension without a sandbox, which the host does not keep.
  package func warmActions(
    _ choice: SandboxChoice = .full, count: Int, at placement: Placement = .oneCPU
  ) async throws -> [UInt64] {
    if choice == .none { throw BenchmarkError("Only an extension with a sandbox is started ahead.") }
    return try await withHost(choice) { echo in
      let host = echo.host
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await host.run() }
        defer { group.cancelAll() }
        while await !host.isRunning { await Task.yield() }
        try placement.enter()
        defer { placement.leave() }
        try await host.prewarm(Bench.identifier)
        try placement.moveHost()
        return try await withTaskExecutorPreference(host.loop) {
          var times: [UInt64] = []
          for index in 0..<(count + count / 10) {
            let start = floor_now()
            let end = try await host.withExtension(Bench.identifier) { process in
              _ = try await process.call(Workload.echoText)
              return floor_now()
            }
            if index >= count / 10 { times.append(end - start) }
          }
          return times
        }
      }
    }
  }
}
