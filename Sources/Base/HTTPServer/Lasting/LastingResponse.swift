internal import Synchronization

/// A response that goes on after its header: a stream or a socket.
protocol LastingResponse: AnyObject, Sendable {
  /// Runs what the handler wants to do meanwhile, and returns when both that and the response have ended. It is
  /// cancelled when the response ends first. Called once, after the response was handed over.
  func run() async

  /// The server ends: so does the response, in order. May be called at any time, more than once.
  func stop()

  /// Whether it has taken the connection over from the library, and leaves the table by itself.
  var hasConnection: Bool { get }

  /// The connection has ended, or nothing of the response was sent. May be called at any time, more than once.
  func abandon()
}

/// A lasting response as a part of a value that can be compared: it is like itself only.
struct LastingPart: Sendable, Equatable {
  let response: any LastingResponse

  static func == (one: LastingPart, other: LastingPart) -> Bool { one.response === other.response }
}

/// The lasting responses of one server, of which there may only be so many, and none once it stops.
final class LastingTable: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any LastingResponse] = [:]
    var isStopping = false
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int) { self.most = most }

  /// - Returns: false when there is no room, or the server stops.
  func add(_ response: any LastingResponse) -> Bool {
    state.withLock { state in
      guard !state.isStopping, state.open.count < most else { return false }
      state.open[ObjectIdentifier(response)] = response
      return true
    }
  }

  func remove(_ response: any LastingResponse) {
    state.withLock { $0.open[ObjectIdentifier(response)] = nil }
  }

  /// Ends all of them, in order; no more are taken.
  func stop() {
    let open = state.withLock { state in
      state.isStopping = true
      return Array(state.open.values)
    }
    for response in open { response.stop() }
  }
}
