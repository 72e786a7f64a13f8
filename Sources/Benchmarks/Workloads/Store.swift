import BenchmarkResults
import EchoContract
import ExtensionHosting
import ExtensionProtocol
import HostServices

extension Workload {
  /// What an extension waits for a value that the host keeps.
  static let storeRead = Workload(
    name: "store-read-through-host", summary: "An extension reads a key of an app group, both ends on one CPU",
    unit: .microseconds, count: 5000
  ) { bench, count in
    let store = SuiteStore.file { "\(bench.folder)/groups.sqlite" }
    return try await bench.withHost(.full, services: [DefaultsService(store: store)]) { host in
      try await host.withEcho(at: .oneCPU) { echo in
        let times = try await echo.call(EchoMeasure(service: .defaults, count: count), deadline: .seconds(60))
        return Reading(Double(times.median) / 1000, p99: Double(times.p99) / 1000)
      }
    }
  } floor: { bench, count in
    Reading(Samples(nanoseconds: try bench.floor.roundTrips(Floor.request, count: count, at: .oneCPU), per: 1000))
  }
}
