import MeasuredHost
import BenchmarkResults
import CDataFloor
import DataConnectClient
import DataConnectEmulator
import DataConnectStatements
import Files
import Glibc
import HTTPClient
import HTTPServer
import JSON
import PostgreSQL
import PostgreSQLCluster
import Text
import WebSocket

/// A running emulator over a server of PostgreSQL of its own, which writes durably, and what is asked of it.
struct MeasuredEmulator: Sendable {
  let address: ServerAddress
  private let folder: String
  private let server: PostgreSQLServer

  /// An unsigned token of a user.
  static let token = [#"{"alg":"none"}"#, #"{"sub":"ann"}"#, ""].map { Base64URL.encode(Array($0.utf8)) }
    .joined(separator: ".")
  static let streamPath =
    "/ws/google.firebase.dataconnect.v1.ConnectorStreamService.Connect/demo/locations/us-east4/services/trips"

  /// Runs the body with an emulator. The database stays in the folder of the run, for the next time.
  static func run<Value: Sendable>(
    in parent: String, _ body: (MeasuredEmulator) async throws -> Value
  ) async throws -> Value {
    let folder = try MeasuredProject.write(in: parent)
    let cluster = PostgreSQLCluster(folder: "\(parent)/trips-database")
    let result: Result<Value, any Error>
    do {
      let target = try await cluster.database(MeasuredProject.database)
      var options = DataConnectEmulator.Options(dumpFolder: "\(parent)/trips-dumps")
      options.port = 0
      options.watches = false
      result = .success(
        try await DataConnectEmulator(project: folder, target: target, options: options).withRunning { address in
          let server = try await MeasuredProject.fill(target)
          return try await body(MeasuredEmulator(address: address, folder: folder, server: server))
        })
    } catch {
      result = .failure(error)
    }
    await cluster.stop()
    // Where the server's user cannot get to this folder, the data is elsewhere.
    if FileStatus("\(cluster.folder)/location") != nil {
      _ = try await PostgreSQLCluster.reset(folder: cluster.folder, keeping: false)
    }
    return try result.get()
  }

  // MARK: Requests

  /// Microseconds of each of many calls of an operation, over one connection.
  func times(of call: MeasuredProject.Call, _ count: Int) async throws -> Reading {
    try await Self.times(of: call, count, at: address.url)
  }

  /// The same of a server in C that has the statement of the operation prepared.
  func floor(of call: MeasuredProject.Call, _ count: Int) async throws -> Reading {
    let (statement, field) = try MeasuredProject.statement(of: call, folder)
    let parameters = try statement.parameters.map { value in
      guard case .text(let text) = value else { throw BenchmarkError("A parameter of \(call.name) is not text.") }
      return text
    }
    var port: Int32 = 0
    let database = "host=\(server.host) port=\(server.port) dbname=\(server.database) user=\(server.user)"
    let words = parameters.map { strdup($0) }
    defer { for word in words { free(word) } }
    let pointers = words.map { UnsafePointer($0) }
    let floor = data_floor_start(
      database, statement.text, pointers, Int32(pointers.count), "{\"data\":{\"\(field)\":", "}}", &port)
    guard let floor else { throw BenchmarkError("The floor of data did not start: errno \(errno).") }
    defer { data_floor_stop(floor) }
    return try await Self.times(of: call, count, at: "http://127.0.0.1:\(port)")
  }

  private static func times(
    of call: MeasuredProject.Call, _ count: Int, at server: String
  ) async throws -> Reading {
    let client = HTTPClient()
    let action = call.isMutation ? "executeMutation" : "executeQuery"
    var request = HTTPRequest(
      "POST", "\(server)\(MeasuredProject.service)/connectors/default:\(action)",
      headers: ["Content-Type": "application/json", "X-Firebase-Auth-Token": token])
    request.body = Array(JSONCoding.text(of: call.body).utf8)
    var times: [Double] = []
    for round in 0..<(count + count / 10) {
      let start = ContinuousClock.now
      let response = try await client.send(request)
      let time = (ContinuousClock.now - start) / .microseconds(1)
      guard response.status == 200, response.body.count > 60 else {
        throw BenchmarkError("The answer was \(response.status): \(response.text.prefix(300))")
      }
      if round == 0 { try check(response) }
      if round >= count / 10 { times.append(time) }
    }
    return Reading(Samples(times))
  }

  /// - Throws: for an answer without what was asked for.
  private static func check(_ response: HTTPResponse) throws {
    let answer = try JSONCoding.parse(response.body)
    let value = answer["data"]?.objectValue?.first?.value
    guard answer["errors"] == nil, value?.isNull == false, value?.arrayValue.map({ $0.count == 100 }) ?? true else {
      throw BenchmarkError("The answer was: \(response.text.prefix(300))")
    }
  }

  // MARK: Streams

  /// Opens a stream of a user.
  func stream(_ client: HTTPClient) async throws -> WebSocketConnection {
    let socket = try await client.webSocket(to: "ws\(address.url.dropFirst(4))\(Self.streamPath)")
    try await socket.send(text: Self.greeting)
    return socket
  }

  /// The first frame of a stream: who listens, and to which connector.
  static let greeting = JSONCoding.text(
    of: ["name": .string(MeasuredProject.connector), "headers": ["X-Firebase-Auth-Token": .string(token)]])

  /// A frame that has something done with an operation.
  static func frame(_ action: String, _ call: MeasuredProject.Call, as request: String) -> String {
    var frame: JSONObject = ["requestId": .string(request)]
    frame[action] = call.body
    return JSONCoding.text(of: .object(frame))
  }
}

extension WebSocketConnection {
  /// The next frame.
  func nextText() async throws -> String {
    guard case .text(let text) = try await receive() else { throw BenchmarkError("The stream has ended.") }
    return text
  }
}
