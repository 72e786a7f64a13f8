import MeasuredHost
import BenchmarkResults
import CContentFloor
import ContentServer
import EventLoop
import Files
import Glibc
import HTTPClient
import HTTPServer

extension Workload {
  /// What a client waits for that asks a local server of content the same again and again, beside libmicrohttpd called
  /// from C that sends the same bytes.
  static let contentQuery = Workload(
    name: "content-query",
    summary: "A filtered, sorted list of 1,000 fragments is asked for over HTTP, beside C that sends the same bytes",
    unit: .microseconds, count: 2000
  ) { bench, count in
    try await ContentQuery.withServer(bench.folder) { url in try await ContentQuery.ask(url, count) }
  } floor: { bench, count in
    let response = try await ContentQuery.withServer(bench.folder) { url in
      try await HTTPClient().send(HTTPRequest("GET", url))
    }
    return try await ContentQuery.withFloor(response) { try await ContentQuery.ask($0, count) }
  }
}

/// The content, the servers and the client.
private enum ContentQuery {
  private static let path = "/graphql/execute.json/bench/cheap%3Bmost%3D300%3Bkind%3Dhill;"

  /// Microseconds for each request, over one connection.
  static func ask(_ url: String, _ count: Int) async throws -> Reading {
    let client = HTTPClient()
    var times: [Double] = []
    for round in 0..<(count + count / 10) {
      let start = ContinuousClock.now
      let response = try await client.send(HTTPRequest("GET", url))
      let time = (ContinuousClock.now - start) / .microseconds(1)
      guard response.status == 200, response.body.count > 1_000 else {
        throw BenchmarkError("The answer was \(response.status), \(response.body.count) bytes.")
      }
      if round >= count / 10 { times.append(time) }
    }
    return Reading(Samples(times))
  }

  static func withServer<Value: Sendable>(
    _ folder: String, _ body: (String) async throws -> Value
  ) async throws -> Value {
    let root = "\(folder)/content-query"
    if !Folder.isFolder(root) { try write(root) }
    let server = try ContentServer(configuration: .init(port: 0, root: root))
    let loop = EventLoop.onThread(name: "content-server")
    defer { loop.stop() }
    return try await withTaskExecutorPreference(loop) {
      try await server.withRunning { try await body("\($0.url)\(path)") }
    }
  }

  static func withFloor(_ response: HTTPResponse, _ body: (String) async throws -> Reading) async throws -> Reading {
    var port: Int32 = 0
    let floor = content_floor_start(
      response.body, response.body.count, "application/json;charset=utf-8", response.headers["Cache-Control"] ?? "",
      response.headers["ETag"] ?? "", &port)
    guard let floor else { throw BenchmarkError("The floor of content did not start: errno \(errno).") }
    defer { content_floor_stop(floor) }
    return try await body("http://127.0.0.1:\(port)\(path)")
  }

  // MARK: Content

  private static func write(_ root: String) throws {
    for folder in [
      "", "/models", "/models/bench", "/persisted", "/persisted/bench", "/content", "/content/dam",
      "/content/dam/bench",
    ] {
      guard mkdir(root + folder, 0o700) == 0 else { throw BenchmarkError("Cannot write in \(root).") }
    }
    try write(model, to: "\(root)/models/bench/trip.json")
    try write(query, to: "\(root)/persisted/bench/cheap.graphql")
    for number in 0..<1000 {
      let kind = ["hill", "coast", "lake", "town", "wood"][number % 5]
      let price = number * 7919 % 1000
      let fields =
        #""title":"Trip \#(number * 31 % 1000)","slug":"trip-\#(number)","kind":"\#(kind)","price":\#(price)"#
      try write(#"{"model":"bench/trip","fields":{\#(fields)}}"#, to: "\(root)/content/dam/bench/trip-\(number).json")
    }
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else { throw BenchmarkError("Cannot write \(path).") }
    fputs(text, file)
    fclose(file)
  }

  private static let model = """
    {"title": "Trip", "fields": [
      {"name": "title", "type": "text"}, {"name": "slug", "type": "text"}, {"name": "kind", "type": "text"},
      {"name": "price", "type": "float"}
    ]}
    """
  private static let query = """
    query ($most: Float!, $kind: String!) {
      tripList(
        filter: {
          price: {_expressions: [{value: $most, _operator: LOWER}]}
          kind: {_expressions: [{value: $kind, _operator: EQUALS}]}
        }
        sort: "price DESC, title ASC"
      ) {
        items { _path title slug kind price }
      }
    }
    """
}
