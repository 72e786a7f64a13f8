internal import CMicroHTTPD
internal import Synchronization

/// One request and its response.
///
/// `@unchecked Sendable`: `state` is behind its lock. `connection` is a handle of libmicrohttpd; it is used by the
/// thread of the server, and by `answer` only while the connection is suspended, when libmicrohttpd keeps it alive.
@safe
final class Exchange: @unchecked Sendable {
  enum Phase {
    /// The request line was read.
    case begun
    /// The header was read; the body arrives.
    case receiving
    /// A handler has it; the connection is suspended.
    case handling
    /// The response is with libmicrohttpd.
    case answered
  }

  private struct State {
    var phase = Phase.begun
    var request: ServerRequest
    var bodyBytes = 0
    var response: ServerResponse?
    var wasHandled = false
  }

  private let connection: OpaquePointer
  private let state: Mutex<State>

  /// - Parameter target: the request target as sent.
  init(target: String, connection: OpaquePointer) {
    unsafe self.connection = connection
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map { String($0) } ?? ""
    state = Mutex(State(request: ServerRequest(path: path, query: parts.count > 1 ? String(parts[1]) : nil)))
  }

  var phase: Phase {
    get { state.withLock { $0.phase } }
    set { state.withLock { $0.phase = newValue } }
  }

  /// The request, whole once the phase is `handling`.
  func request() -> ServerRequest {
    state.withLock { $0.request }
  }

  /// Takes over what the header says.
  func begin(method: String, headers: [ServerField]) -> ServerRequest {
    state.withLock {
      $0.phase = .receiving
      $0.request.method = method
      $0.request.headers = headers
      return $0.request
    }
  }

  /// Adds bytes of the body, as long as they fit; gives the number of bytes received in all.
  func append(_ bytes: [UInt8], limit: Int) -> Int {
    state.withLock {
      $0.bodyBytes += bytes.count
      if $0.bodyBytes <= limit {
        $0.request.body.append(contentsOf: bytes)
      } else {
        $0.request.body = []
      }
      return $0.bodyBytes
    }
  }

  /// Whether it was suspended for a handler.
  var wasHandled: Bool { state.withLock { $0.wasHandled } }

  /// The bytes received, kept or not.
  var bodyBytes: Int { state.withLock { $0.bodyBytes } }

  func takeResponse() -> ServerResponse? {
    state.withLock { state in
      defer { state.response = nil }
      return state.response
    }
  }

  /// Before the exchange goes to a handler, on the thread of the server.
  func suspend() {
    state.withLock {
      $0.phase = .handling
      $0.wasHandled = true
    }
    unsafe MHD_suspend_connection(connection)
  }

  /// Hands the response over and lets the connection go on. Called once, by the handler's task.
  func answer(_ response: ServerResponse) {
    state.withLock { $0.response = response }
    unsafe MHD_resume_connection(connection)
  }
}
