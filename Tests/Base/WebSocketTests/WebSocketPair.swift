import CLinux
import EventLoop
import Synchronization
import Testing
import WebSocket

/// One end of a pair of sockets, which takes nothing as long as it is shut.
final class SocketEnd: ByteTransport, @unchecked Sendable {
  let descriptor: Int32
  let isShut = Atomic(false)
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteTransfer {
    transfer(clinux_read(descriptor, buffer.baseAddress, buffer.count))
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> ByteTransfer {
    if isShut.load(ordering: .acquiring) { return .wait }
    return transfer(clinux_write(descriptor, bytes.baseAddress, bytes.count))
  }

  private func transfer(_ result: Int) -> ByteTransfer {
    result > 0 ? .bytes(result) : result == -11 ? .wait : .over
  }

  func close() { clinux_close(descriptor) }
}

/// Two connections to each other, or one and a bare descriptor.
struct WebSocketPair {
  let loop: LoopThread
  let server: WebSocketConnection
  /// The end of the server.
  let end: SocketEnd
  let descriptor: Int32
  /// Sent each time that the server's connection is said to be over.
  let over = Signal()

  /// - Parameter shared: the loop of another pair; without it there is a new one.
  init(
    on shared: LoopThread? = nil, early: [UInt8] = [], _ change: (inout WebSocketLimits) -> Void = { _ in }
  ) throws {
    var limits = WebSocketLimits()
    change(&limits)
    loop = try shared ?? LoopThread(name: "web-sockets", spin: .zero)
    var (first, second): (Int32, Int32) = (0, 0)
    try #require(clinux_stream_pair(&first, &second) == 0)
    end = SocketEnd(first)
    server = WebSocketConnection(
      role: .server, limits: limits, on: loop, early: early, over: { [over] in over.send() }, transport: end)
    descriptor = second
  }

  func client(_ limits: WebSocketLimits = WebSocketLimits()) -> WebSocketConnection {
    WebSocketConnection(role: .client, limits: limits, on: loop, transport: SocketEnd(descriptor))
  }

  /// What the bare end has got, at least so many bytes.
  func read(_ count: Int) async -> [UInt8] {
    let descriptor = descriptor
    return await SystemThread.run(name: "pair") {
      _ = clinux_set_nonblocking(descriptor, 0)
      var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
      while bytes.count < count {
        let found = clinux_read(descriptor, &buffer, buffer.count)
        guard found > 0 else { break }
        bytes += buffer[..<found]
      }
      return bytes
    }
  }

  func write(_ message: WebSocketMessage) { write(WebSocketWriter.frame(message, mask: [1, 2, 3, 4])) }

  func write(_ bytes: [UInt8]) {
    #expect(clinux_write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
