import JSON
import WebSocket

/// Carries the messages of one stream, over WebSocket or gRPC.
protocol StreamChannel: Sendable {
  /// The client's next message; nil once the stream ends.
  ///
  /// - Throws: for what is no message; the stream ends.
  func next() async throws(RequestFailure) -> StreamFrame?

  /// Sends a response. Waits as long as too much waits to be sent.
  ///
  /// - Parameters:
  ///   - members: of the JSON object of the response, with commas between them.
  ///   - request: the client's name for the request; nil for what is about none.
  func send(_ members: String, _ request: String?) async

  /// Sends a response if there is room for it at once.
  ///
  /// - Returns: false when nothing was sent.
  func offer(_ members: String, _ request: String?) -> Bool

  /// Ends the stream with a reason.
  func refuse(_ failure: RequestFailure)
}

/// A stream over WebSocket.
struct SocketChannel: StreamChannel {
  let socket: WebSocketConnection

  func next() async throws(RequestFailure) -> StreamFrame? {
    guard let message = try? await socket.receive() else { return nil }
    guard case .text(let text) = message else {
      socket.beginClose(code: 1003, reason: "Frames are texts.")
      return nil
    }
    return try StreamFrame(text)
  }

  func send(_ members: String, _ request: String?) async {
    try? await socket.send(text: Self.text(members, request))
  }

  func offer(_ members: String, _ request: String?) -> Bool { socket.offer(text: Self.text(members, request)) }

  func refuse(_ failure: RequestFailure) {
    let code: UInt16 =
      switch failure.code {
      case .unauthenticated: 4_401
      case .resourceExhausted: 1_013
      default: 1_008
      }
    socket.beginClose(code: code, reason: failure.message)
  }

  /// A frame of the emulator is wrapped, which clients tell it by.
  private static func text(_ members: String, _ request: String?) -> String {
    let id = request.map { "\"requestId\":\(JSONValue.string($0))," } ?? ""
    return "{\"result\":{\(id)\(members)}}"
  }
}
