internal import CMicroHTTPD
internal import Glibc
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
    var limit = 0
    var bodyBytes = 0
    /// Bytes of the budget that it holds.
    var heldBytes = 0
    var isCrowdedOut = false
    var response: ServerResponse?
    var wasHandled = false
    var lasting: (any LastingResponse)?
    var addedFields: [ServerField] = []
  }

  /// Where the request target lies in the library's memory, and its bytes. Compared with other places, and never read.
  let target: UnsafePointer<CChar>
  let targetCount: Int
  private let connection: OpaquePointer
  private let state: Mutex<State>

  /// - Parameter bytes: the request target as sent.
  init(target bytes: UnsafePointer<CChar>, connection: OpaquePointer) {
    unsafe self.connection = connection
    let target = unsafe String(cString: bytes)
    unsafe self.target = bytes
    targetCount = unsafe strlen(bytes)
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    let query = mark.map { String(target[target.utf8.index(after: $0)...]) }
    var request = ServerRequest(path: String(target[..<(mark ?? target.endIndex)]), query: query)
    request.client = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard let start = text.baseAddress, unsafe cmhd_address(connection, start) != 0 else { return "" }
      return unsafe String(cString: start)
    }
    state = Mutex(State(request: request))
  }

  var phase: Phase {
    get { state.withLock { $0.phase } }
    set { state.withLock { $0.phase = newValue } }
  }

  /// The request, whole once the phase is `handling`, for its handler: nothing of it is kept here.
  private func takeRequest() -> ServerRequest {
    state.withLock { state in
      defer { (state.request.headers, state.request.body) = ([], []) }
      return state.request
    }
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

  /// Fields that the answer has besides those of the handler.
  var addedFields: [ServerField] {
    get { state.withLock { $0.addedFields } }
    set { state.withLock { $0.addedFields = newValue } }
  }

  /// The most bytes of the body. Set before any of it comes.
  var limit: Int {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// Adds bytes of the body, as long as they fit.
  ///
  /// - Returns: false when so many have come that the connection has to end: a little too much is read and refused with a
  ///   response.
  @unsafe func append(_ bytes: UnsafeRawBufferPointer, budget: ByteBudget) -> Bool {
    state.withLock { state in
      state.bodyBytes += bytes.count
      if state.bodyBytes <= state.limit, !state.isCrowdedOut, budget.take(bytes.count) {
        state.heldBytes += bytes.count
        unsafe state.request.body.append(contentsOf: bytes)
        return true
      }
      if state.bodyBytes <= state.limit { state.isCrowdedOut = true }
      Self.release(&state, to: budget)
      return state.bodyBytes - state.limit <= min(state.limit, 1 << 20) + 65536
    }
  }

  private static func release(_ state: inout State, to budget: ByteBudget) {
    budget.give(state.heldBytes)
    state.heldBytes = 0
    state.request.body = []
  }

  /// The connection is done with it: frees what it holds.
  func complete(budget: ByteBudget) {
    let lasting = state.withLock { state in
      Self.release(&state, to: budget)
      state.response = nil
      return state.lasting.take()
    }
    lasting?.abandon()
  }

  /// Whether its body found no room.
  var isCrowdedOut: Bool { state.withLock { $0.isCrowdedOut } }

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
    state.withLock {
      $0.response = response
      $0.lasting = response.lasting?.response
    }
    unsafe MHD_resume_connection(connection)
  }

  /// Has the handler answer.
  ///
  /// - Returns: what its response goes on with, which has to run.
  func respond(by handler: HTTPServer.Handler) async -> (any LastingResponse)? {
    let response = await handler(takeRequest())
    answer(response)
    return response.lasting?.response
  }

  /// What the response goes on with.
  var lasting: (any LastingResponse)? { state.withLock { $0.lasting } }
}

/// Bytes that many share.
package final class ByteBudget: Sendable {
  private let left: Atomic<Int>

  /// Creates a budget of so many bytes.
  package init(_ count: Int) { left = Atomic(max(0, count)) }

  /// - Returns: false when so many are not left; then none are taken.
  package func take(_ count: Int) -> Bool {
    if left.subtract(count, ordering: .relaxed).newValue >= 0 { return true }
    give(count)
    return false
  }

  /// Gives back bytes that were taken.
  package func give(_ count: Int) { left.add(count, ordering: .relaxed) }
}
