import BenchmarkResults
import EchoContract
import ExtensionHosting
package import ExtensionProtocol

extension Workload {
  /// Messages of 1 MiB, there and back; the megabytes of one way count.
  package static let payloads = [
    payload("payload", "A string of 1 MiB, echoed", method: EchoText(text: text)),
    payload("objects", "1 MiB of small objects, decoded and encoded anew at both ends", method: objects),
    payload(
      "objects-codable", "The same through Codable, decoded and encoded anew at both ends",
      method: EchoCodableObjects(objects)),
  ]

  private static let text = String(repeating: "x", count: (1 << 20) - 11)
  private static let objects = EchoObjects.filling(1 << 20)

  private static func payload<Method: RemoteMethod>(_ name: String, _ summary: String, method: Method) -> Workload {
    var workload = Workload(name: name, summary: summary, unit: .megabytesPerSecond, count: 30) { bench, count in
      Reading(try await bench.throughput(of: method, count: count, at: .twoCPUs))
    } floor: { bench, count in
      let times = try bench.floor.roundTrips(Floor.mebibyte, count: count, at: .twoCPUs)
      return Reading(1 / Samples(nanoseconds: times, per: 1000).median * Double(1 << 20))
    }
    workload.instructions = InstructionCount(name: name, few: 4, many: 24)
    return workload
  }

  /// The names of the one-line form.
  package static func throughput(
    _ name: String, _ choice: SandboxChoice, _ bench: Bench, count: Int, spins: Bool
  ) async throws -> Double {
    switch name {
    case "payload":
      try await bench.throughput(choice, of: EchoText(text: text), count: count, at: .anywhere, spins: spins)
    case "objects-codable":
      try await bench.throughput(choice, of: EchoCodableObjects(objects), count: count, at: .anywhere, spins: spins)
    default: try await bench.throughput(choice, of: objects, count: count, at: .anywhere, spins: spins)
    }
  }
}

extension Bench {
  /// Megabytes a second, for a method with 1 MiB of params, by the median call.
  package func throughput(
    _ choice: SandboxChoice = .full, of method: some RemoteMethod, count: Int, at placement: Placement,
    spins: Bool = true
  ) async throws -> Double {
    try await withHost(choice, spins: spins) { host in
      try await host.withEcho(at: placement) { echo in
        let times = try await echo.times(of: method, count: count)
        return 1 / Samples(nanoseconds: times, per: 1000).median * Double(1 << 20)
      }
    }
  }
}
