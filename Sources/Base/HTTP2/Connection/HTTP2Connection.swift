package import EventLoop

/// The server's end of an HTTP/2 connection (RFC 9113), whose preface the client sends first: requests come and answers go
/// as tasks ask for them, while an event loop, which many share, reads and writes.
package final class HTTP2Connection: Sendable {
  private let mailbox = HTTP2Mailbox()

  /// Takes over a connection.
  ///
  /// - Parameters:
  ///   - transport: made for this connection alone; used and closed on the loop.
  ///   - early: bytes that were read of it already.
  ///   - over: called once on the loop's thread, after the transport was closed.
  package init(
    limits: HTTP2Limits = HTTP2Limits(), on loop: LoopThread, early: [UInt8] = [],
    over: @escaping @Sendable () -> Void = {}, transport: sending any ByteTransport
  ) {
    let start = HTTP2DriverHolder(
      HTTP2Driver(limits: limits, loop: loop, transport: transport, mailbox: mailbox, over: over))
    let events = loop.loop
    mailbox.attach { events.execute { start.driver.attend() } }
    events.execute { start.driver.begin(early) }
  }

  /// Serves requests until the connection is over and the last handler has returned.
  ///
  /// - Parameter handler: runs as a child task for each request. It is cancelled when the client resets the request or is
  ///   gone. A request that it leaves without an answer is reset.
  package func run(_ handler: @escaping @Sendable (HTTP2Stream) async -> Void) async {
    await withDiscardingTaskGroup { group in
      while let stream = await mailbox.next() {
        group.addTask { [mailbox] in
          await stream.during { await handler(stream) }
          stream.reset(.internalError)
          mailbox.returned()
        }
      }
    }
  }

  /// Begins to end the connection: requests that are open are answered, and no others are taken.
  package func beginClose() { mailbox.stop() }
}
