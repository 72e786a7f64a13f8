import MeasuredHost
import BenchmarkResults
import EchoContract
import ExtensionHosting
import ExtensionProtocol
import HTTPServer
import HostServices
import DataServices

extension Workload {
  /// What a generated package and its runtime add to an extension.
  static let dataWidgetMemory = Workload(
    name: "data-widget-memory",
    summary: "Resident memory of an idle extension with Data Connect, one of 20, beside the same without",
    unit: .mebibytes, count: 1
  ) { bench, _ in
    let server = HTTPServer { _ in ServerResponse(text: movies, contentType: "application/json") }
    return try await server.withRunning { address in
      let carrier = ClientCarrier(
        DataServer(
          project: "demo", host: address.host, port: address.port, isSecure: false, isEmulator: true,
          allowsEmulator: true),
        cacheFolder: nil, identities: nil)
      return try await bench.withHost(.full, services: [DataService(carrier: carrier)]) { configuration in
        configuration.permissions = PermissionAuthority(state: configuration.state, consent: .grant)
      } _: { host in
        try await host.memoryOfDataEcho(alive: Bench.alive)
      }
    }
  } floor: { bench, _ in
    try await bench.memoryOfEcho("Rss")
  }

  private static let movies: String = {
    let movies = (0..<10).map { number in
      #"{"id":"0000000000004000800000000000000\#(number)","title":"Movie \#(number)","releaseYear":1999}"#
    }
    return #"{"data":{"movies":[\#(movies.joined(separator: ","))]}}"#
  }()
}

extension EchoHost {
  /// Starts extensions, each of which executes a query.
  fileprivate func memoryOfDataEcho(alive: Int) async throws -> Reading {
    try await host.withExtension(Bench.dataIdentifier) { echo in
      let answer = try await echo.call(EchoText(text: ""))
      guard answer.text.hasPrefix("Movie 0, Movie 1") else { throw BenchmarkError("The movies were: \(answer.text)") }
      if alive > 1 { return try await memoryOfDataEcho(alive: alive - 1) }
      guard let pid = ProcessMemory.descendant(named: "DataEcho") else {
        throw BenchmarkError("The extension's process cannot be found.")
      }
      return Reading(Double(try ProcessMemory.kibibytes("Rss", of: pid)) / 1024)
    }
  }
}
