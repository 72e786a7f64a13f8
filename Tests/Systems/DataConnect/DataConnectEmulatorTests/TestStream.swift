import DataConnectClient
import HTTPClient
import HTTPServer
import JSON
import WebSocket

/// A client of the WebSocket endpoint.
struct TestStream: Sendable {
  let socket: WebSocketConnection

  init(_ emulator: TestEmulator, client: HTTPClient) async throws {
    let name = "google.firebase.dataconnect.v1.ConnectorStreamService.Connect"
    let path = "/ws/\(name)/demo/locations/us-east4/services/films"
    let url = "ws://\(emulator.address.host):\(emulator.address.port)\(path)"
    socket = try await client.webSocket(to: url)
  }

  /// Sends a frame of the first kind, with the name of the connector.
  func send(_ request: String, _ action: String, _ body: JSONValue, _ more: JSONObject = [:]) async throws {
    var frame: JSONObject = [
      "requestId": .string(request), "name": "projects/demo/locations/us-east4/services/films/connectors/movies",
    ]
    frame[action] = body
    for (name, value) in more { frame[name] = value }
    try await socket.send(text: JSONValue.object(frame).description)
  }

  func subscribe(
    _ request: String, _ operation: String, _ variables: JSONValue = [:], _ more: JSONObject = [:]
  ) async throws {
    try await send(request, "subscribe", ["operationName": .string(operation), "variables": variables], more)
  }

  func headers(_ token: String) async throws {
    let frame: JSONValue = ["headers": ["X-Firebase-Auth-Token": .string(token)]]
    try await socket.send(text: frame.description)
  }

  /// The next frame, out of its wrapping; `nil` at the end.
  func next() async throws -> JSONValue? {
    guard case .text(let text)? = try await socket.receive() else { return nil }
    return try JSONValue(parsing: text)["result"]
  }
}
