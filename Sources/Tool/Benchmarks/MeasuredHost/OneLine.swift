import BenchmarkResults
import Glibc

/// The form `benchmarks WORKLOAD COUNT`: one workload of the product alone, wherever the scheduler puts it, as one line
/// of `key=value`, so that it can stand beside other hosts.
package enum OneLine {
  package static let names = [
    "cold", "warm", "rtt", "pipe", "payload", "objects", "objects-codable", "mem", "mem-host", "alive",
  ]

  /// - Throws: what the workload throws.
  package static func run(_ name: String, count: Int, _ choice: SandboxChoice, spins: Bool, _ bench: Bench) async throws
  {
    switch name {
    case "cold":
      let times = Samples(nanoseconds: try await bench.coldStarts(choice, count: count), per: 1e6)
      write("ms_p50", times.median, "ms_p99", times.percentile(99))
    case "warm":
      let times = Samples(nanoseconds: try await bench.warmActions(choice, count: count, at: .anywhere), per: 1000)
      write("us_p50", times.median, "us_p99", times.percentile(99))
    case "rtt":
      let times = try await bench.roundTrips(choice, count: count, at: .anywhere, spins: spins)
      let samples = Samples(nanoseconds: times, per: 1000)
      write("us_p50", samples.median, "us_p99", samples.percentile(99))
    case "pipe":
      print("rps=\(Number.text(try await bench.pipeline(choice, count: count, at: .anywhere), digits: 0))")
    case "alive": print(try await bench.alive(count).line)
    case "mem-host":
      let memory = try await bench.memoryOfHost(choice, count: count)
      print("kib_each=\(Number.text(memory.each, digits: 1)) kib_host=\(memory.alone)")
    case "mem":
      try await bench.withHost(choice) { host in
        try await host.withEchoes(count) {
          print("ready")
          fflush(nil)
          _ = readLine()
        }
      }
    default:
      let speed = try await Workload.throughput(name, choice, bench, count: count, spins: spins)
      print("mbps=\(Number.text(speed, digits: 1))")
    }
  }

  private static func write(_ median: String, _ value: Double, _ tail: String, _ p99: Double) {
    print("\(median)=\(Number.text(value, digits: 3)) \(tail)=\(Number.text(p99, digits: 3))")
  }
}
