import MeasuredHost
import JSON
import BenchmarkResults
import ContentClient
import Contracts
import EchoContract
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
import HostServices
import ContentServices

extension Workload {
  /// What an extension waits for content that the host has already.
  static let contentCached = Workload(
    name: "content-cached", summary: "An extension runs a persisted query that the cache answers, both ends on one CPU",
    unit: .microseconds, count: 2000
  ) { bench, count in
    let client = ContentClient(
      configuration: ContentConfiguration(), cachePath: { "\(bench.folder)/content.sqlite" }, transport: answer)
    let service = ContentService { asked in
      let result = try await client.execute(query: asked.query, variables: asked.variables ?? [:])
      return Content.Execute.Result(
        data: result.data, httpStatus: result.httpStatus, source: .cache, ageSeconds: result.ageSeconds)
    }
    return try await bench.withHost(.full, services: [service]) { host in
      try await host.withEcho(at: .oneCPU) { echo in
        let times = try await echo.call(EchoMeasure(service: .content, count: count), deadline: .seconds(60))
        return Reading(Double(times.median) / 1000, p99: Double(times.p99) / 1000)
      }
    }
  } floor: { bench, count in
    Reading(Samples(nanoseconds: try bench.floor.roundTrips(Floor.request, count: count, at: .oneCPU), per: 1000))
  }

  /// A server in this process: ten items, fresh for ten minutes.
  private static let answer: ContentTransport = { request throws(HTTPError) in
    let item = #"{"title":"Lantern caves","activity":"Caving","tripLength":"2 days","price":250.5}"#
    let items = Array(repeating: item, count: 10).joined(separator: ",")
    let text = #"{"data":{"adventureList":{"items":[\#(items)]}}}"#
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "max-age=600"],
      body: Array(text.utf8), url: request.url)
  }
}
