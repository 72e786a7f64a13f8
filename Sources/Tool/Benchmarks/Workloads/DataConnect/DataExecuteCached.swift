import MeasuredHost
import BenchmarkResults
import EchoContract
import ExtensionHosting
import ExtensionProtocol
import HTTPServer
import HostServices
import DataServices
import Synchronization

extension Workload {
  /// What an extension waits for a query of Data Connect that the host has already, beside what it waits for content.
  static let dataExecuteCached = Workload(
    name: "data-execute-cached",
    summary: "An extension executes a query that the cache answers, both ends on one CPU, beside content-cached itself",
    unit: .microseconds, count: 2000
  ) { bench, count in
    let asked = Asked()
    let server = HTTPServer { _ in
      asked.count.add(1, ordering: .relaxed)
      return ServerResponse(text: answer, contentType: "application/json")
    }
    return try await server.withRunning { address in
      let carrier = ClientCarrier(
        DataServer(
          project: "demo", host: address.host, port: address.port, isSecure: false, isEmulator: true,
          allowsEmulator: true),
        cacheFolder: "\(bench.folder)/data-cache", identities: nil)
      return try await bench.withHost(.full, services: [DataService(carrier: carrier)]) { configuration in
        configuration.permissions = PermissionAuthority(state: configuration.state, consent: .grant)
      } _: { host in
        try await host.withEcho(at: .oneCPU) { echo in
          let times = try await echo.call(EchoMeasure(service: .data, count: count), deadline: .seconds(60))
          // The round before may have left it in the file.
          guard asked.count.load(ordering: .relaxed) <= 1 else { throw BenchmarkError("The cache did not answer.") }
          return Reading(Double(times.median) / 1000, p99: Double(times.p99) / 1000)
        }
      }
    }
  } floor: { bench, _ in
    try await Workload.contentCached.product(bench, Workload.contentCached.count)
  }

  /// How often the server was.
  private final class Asked: Sendable {
    let count = Atomic(0)
  }

  /// As much as ``contentCached`` has: ten items, fresh for ten minutes, which are told apart.
  private static let answer: String = {
    let item = #"{"title":"Lantern caves","activity":"Caving","tripLength":"2 days","price":250.5}"#
    let items = Array(repeating: item, count: 10).joined(separator: ",")
    let ids = (0..<10).map { "\"0123456789abcdef0123456789abcde\($0)\"" }.joined(separator: ",")
    return
      #"{"data":{"adventures":[\#(items)]},"extensions":{"dataConnect":[{"path":["adventures"],"entityIds":[\#(ids)]}]}}"#
  }()
}
