import BenchmarkResults
import CFloor
package import EchoContract
import ExtensionHosting
import ExtensionProtocol

extension Workload {
  package static let echoText = EchoText(text: String(repeating: "x", count: 100))

  /// One request of 100 bytes and its answer.
  package static let roundTrips = [
    roundTrip("rtt-one-cpu", "Round trip, both ends on one CPU, the caller on the host's loop", .oneCPU, counted: true),
    roundTrip("rtt-two-cpus", "Round trip, each end on a CPU of its own", .twoCPUs),
    roundTrip("rtt-two-cpus-nospin", "The same; the host's loop sleeps at once", .twoCPUs, spins: false),
    roundTrip("rtt-one-cpu-pool", "Round trip on one CPU, the caller on the global pool", .oneCPU, onLoop: false),
  ]

  private static func roundTrip(
    _ name: String, _ summary: String, _ placement: Placement, spins: Bool = true, onLoop: Bool = true,
    counted: Bool = false
  ) -> Workload {
    var workload = Workload(name: name, summary: summary, unit: .microseconds, count: 10_000) { bench, count in
      let times = try await bench.roundTrips(count: count, at: placement, spins: spins, onLoop: onLoop)
      return Reading(Samples(nanoseconds: times, per: 1000))
    } floor: { bench, count in
      let times = try bench.floor.roundTrips(Floor.request, count: count, at: placement)
      return Reading(Samples(nanoseconds: times, per: 1000))
    }
    if counted { workload.instructions = InstructionCount(name: "rtt", few: 200, many: 2_200) }
    return workload
  }
}

extension Bench {
  /// Nanoseconds of each round trip.
  package func roundTrips(
    _ choice: SandboxChoice = .full, count: Int, at placement: Placement, spins: Bool = true, onLoop: Bool = true
  ) async throws -> [UInt64] {
    try await withHost(choice, spins: spins) { host in
      try await host.withEcho(at: placement) { echo in
        if !onLoop { return try await echo.times(of: Workload.echoText, count: count) }
        return try await withTaskExecutorPreference(host.loop) {
          try await echo.times(of: Workload.echoText, count: count)
        }
      }
    }
  }
}
