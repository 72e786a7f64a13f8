internal import Synchronization
internal import EventLoop
internal import HTTPServer
internal import JSON

extension ContentFault {
  /// Applies the fault to the result of a query.
  func applied(to json: JSONObject) -> JSONObject {
    switch self {
    case .errors(let message): ["errors": [Self.error(message)], "data": .null]
    case .partial(let message): ["errors": [Self.error(message)], "data": json["data"] ?? .null]
    case .changed(let change): ["data": change(json["data"] ?? .null)]
    case .response, .slow, .dropped, .truncated: json
    }
  }

  /// Applies the fault to a response before it is sent.
  func applied(to response: ServerResponse) -> ServerResponse {
    var response = response
    switch self {
    case .dropped:
      response.bytesBeforeEnd = response.body.count / 2
      response.headers.removeAll { $0.name == "ETag" }
    case .truncated: response.body = Array(response.body.prefix(response.body.count / 2))
    case .response, .errors, .partial, .changed, .slow: break
    }
    return response
  }

  /// Returns an error in the form of graphql-java.
  private static func error(_ message: String) -> JSONValue {
    ["message": .string(message), "locations": [], "extensions": ["classification": "DataFetchingException"]]
  }
}

extension ContentServer {
  /// Pictures have faults too, those that make sense of them.
  func withPictureFault(_ body: () async -> ServerResponse) async -> ServerResponse {
    guard let fault = await configuration.fault(ContentFault.pictures) else { return await body() }
    switch fault {
    case .response(let response): return response
    case .slow(let time): await pause(time)
    case .errors, .partial, .changed, .dropped, .truncated: break
    }
    let response = await body()
    return response.status == 200 ? fault.applied(to: response) : response
  }

  /// Waits, but not longer than the server runs.
  func pause(_ time: Duration) async {
    // The server may have ended since this was asked.
    let count = endings.withLock { $0 }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = try? await Task.sleep(for: time) }
      group.addTask { [ending] in _ = try? await ending.wait(past: count) }
      await group.next()
      group.cancelAll()
    }
  }
}
