internal import CMicroHTTPD
package import EventLoop
internal import Synchronization

extension ServerResponse {
  /// An answer with status 101, after which the connection belongs to another protocol (RFC 9110, 7.8). A server with TLS
  /// answers 501 in its place unless `carriesSecureSockets` is set; one without a place for it answers 503.
  ///
  /// - Parameters:
  ///   - headers: the fields of the answer besides `Connection`, `Upgrade` among them.
  ///   - begin: called once on the server's thread when the answer was sent: begins to drive the connection on the loop,
  ///     without waiting, and gives what the server does meanwhile.
  package static func upgrade(
    headers: [ServerField], _ begin: @escaping @Sendable (UpgradedSocket) -> UpgradedWork
  ) -> ServerResponse {
    var response = ServerResponse(status: 101, headers: headers)
    response.lasting = LastingPart(response: UpgradeResponse(handOver: begin))
    return response
  }
}

/// What a server does as long as an upgraded connection lasts.
package struct UpgradedWork: Sendable {
  fileprivate let run: @Sendable () async -> Void
  fileprivate let stop: @Sendable () -> Void

  /// - Parameters:
  ///   - run: runs as a child task of the server. It is cancelled when the connection ends, and ends the connection before
  ///     it returns.
  ///   - stop: begins to end the connection, as the server stops. Called from any thread, maybe more than once.
  package init(run: @escaping @Sendable () async -> Void, stop: @escaping @Sendable () -> Void) {
    self.run = run
    self.stop = stop
  }
}

/// A connection that the server has given to another protocol.
package struct UpgradedSocket: Sendable {
  /// The open connection. It belongs to the loop's thread from now on, and has to be closed there.
  package let transport: any ByteTransport & Sendable
  /// The loop to drive it on.
  package let loop: LoopThread
  /// Bytes of the other protocol that came behind the head of the request.
  package let early: [UInt8]
  /// The longest time that a peer may take to answer that the connection is being closed.
  package let closeLimit: Duration
  /// To be called once, after the transport was closed.
  package let over: @Sendable () -> Void
}

/// An upgrade on its way from a handler to the thread of the server, where the connection is handed over.
final class UpgradeResponse: LastingResponse {
  private enum State {
    case waiting(CheckedContinuation<UpgradedWork?, Never>?)
    case open(UpgradedWork)
    case over
  }

  private let handOver: @Sendable (UpgradedSocket) -> UpgradedWork
  private let state = Mutex(State.waiting(nil))
  private let canceller = TaskCanceller()
  private let place = Mutex<Place?>(nil)
  private let hasBegun = Atomic(false)

  /// Where the connection will be driven, and how.
  struct Place {
    let loop: LoopThread
    /// No peer may take longer to answer a close.
    let closeLimit: Duration
    /// Whether the connection has TLS.
    let isSecure: Bool
    /// Where the response counts until it is over.
    let table: LastingTable
  }

  init(handOver: @escaping @Sendable (UpgradedSocket) -> UpgradedWork) { self.handOver = handOver }

  /// Before the header is sent.
  func place(_ place: Place) { self.place.withLock { $0 = place } }

  /// The header is sent: takes the connection over from the library, on its thread.
  ///
  /// - Parameter early: what the client has sent already.
  func begin(_ descriptor: Int32, _ handle: OpaquePointer, early: [UInt8]) {
    guard let place = place.withLock({ $0 }) else { return unsafe cmhd_close_upgraded(handle) }
    begin(unsafe ReleasedConnection(descriptor, handle, isSecure: place.isSecure), early: early)
  }

  /// Takes a connection over that is the server's own.
  func begin(_ transport: ReleasedConnection, early: [UInt8] = []) {
    guard let place = place.withLock({ $0 }) else { return transport.close() }
    hasBegun.store(true, ordering: .releasing)
    // Whoever was told before that it is over lets it go at once, which closes it.
    let work = handOver(
      UpgradedSocket(
        transport: transport, loop: place.loop, early: early, closeLimit: place.closeLimit,
        over: { [self] in
          place.table.remove(self)
          canceller.cancel()
        }))
    let waiter = state.withLock { state -> CheckedContinuation<UpgradedWork?, Never>? in
      guard case .waiting(let waiter) = state else { return nil }
      state = .open(work)
      return waiter
    }
    waiter?.resume(returning: work)
  }

  func run() async {
    guard let work = await work() else { return }
    await canceller.during { await work.run() }
    state.withLock { $0 = .over }
  }

  private func work() async -> UpgradedWork? {
    await withCheckedContinuation { continuation in
      let (found, isKnown) = state.withLock { state -> (UpgradedWork?, Bool) in
        switch state {
        case .open(let work): return (work, true)
        case .over: return (nil, true)
        case .waiting:
          state = .waiting(continuation)
          return (nil, false)
        }
      }
      if isKnown { continuation.resume(returning: found) }
    }
  }

  var hasConnection: Bool { hasBegun.load(ordering: .acquiring) }

  func stop() {
    guard case .open(let work) = state.withLock({ $0 }) else { return abandon() }
    work.stop()
  }

  func abandon() {
    let waiter = state.withLock { state -> CheckedContinuation<UpgradedWork?, Never>? in
      guard case .waiting(let waiter) = state else { return nil }
      state = .over
      return waiter
    }
    waiter?.resume(returning: nil)
  }
}
