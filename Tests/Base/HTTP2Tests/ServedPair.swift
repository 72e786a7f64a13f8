import CLinux
import EventLoop
import Glibc
import HTTP
import HTTP2
import Synchronization
import TestSupport
import Testing

/// One end of a pair of sockets.
private final class PairEnd: ByteTransport, @unchecked Sendable {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteTransfer {
    transfer(clinux_read(descriptor, buffer.baseAddress, buffer.count))
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> ByteTransfer {
    transfer(clinux_write(descriptor, bytes.baseAddress, bytes.count))
  }

  private func transfer(_ result: Int) -> ByteTransfer {
    result > 0 ? .bytes(result) : result == -11 ? .wait : .over
  }

  func close() { clinux_close(descriptor) }
}

/// A connection that serves, and the bare descriptor of its client.
///
/// "/echo" answers with the body, "/refuse" without having read it, "/big" with a megabyte, and "/wait" nothing until it is cancelled.
final class ServedPair: Sendable {
  struct Seen {
    var begun = 0
    var cancelled = 0
    var failures: [HTTP2Failure.Kind] = []
    var isOver = false
  }

  let loop: LoopThread
  let connection: HTTP2Connection
  let seen = Mutex(Seen())
  let changed = Signal()
  private let descriptor: Int32

  private init(_ limits: HTTP2Limits) throws {
    loop = try LoopThread(name: "http2", spin: .zero)
    var (first, second): (Int32, Int32) = (0, 0)
    try #require(clinux_stream_pair(&first, &second) == 0)
    connection = HTTP2Connection(limits: limits, on: loop, transport: PairEnd(first))
    descriptor = second
    // A server that does not do as it should fails its test, which a read without an end would only hold up.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      let size = socklen_t(MemoryLayout<timeval>.size)
      try #require(unsafe setsockopt(second, SOL_SOCKET, option, &limit, size) == 0)
    }
  }

  deinit { clinux_close(descriptor) }

  /// Serves while the body runs, and until the connection is over.
  static func run(
    _ change: (inout HTTP2Limits) -> Void = { _ in }, _ body: (ServedPair) async throws -> Void
  ) async throws {
    var limits = HTTP2Limits()
    // A handler that waits is not waited for.
    limits.closeLimit = .milliseconds(100)
    change(&limits)
    let pair = try ServedPair(limits)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await pair.connection.run { await pair.serve($0) }
        pair.see { $0.isOver = true }
      }
      // Also after a failure: the connection does not end by being cancelled.
      defer { pair.connection.beginClose() }
      try await body(pair)
    }
  }

  private func serve(_ stream: HTTP2Stream) async {
    see { $0.begun += 1 }
    do throws(HTTP2Failure) {
      switch stream.request.path {
      case "/echo":
        stream.respond(200, [HTTPField("content-type", "text/plain")])
        while let bytes = try await stream.read() { try await stream.write(bytes) }
        stream.finish(trailers: [HTTPField("x-end", "1")])
      case "/refuse":
        stream.respond(400)
        stream.finish()
      case "/big": stream.answer([], [UInt8](repeating: 7, count: 1 << 20), trailers: [])
      default:
        await untilCancelled()
        see { $0.cancelled += 1 }
      }
    } catch {
      see { $0.failures.append(error.kind) }
    }
  }

  private func see(_ body: (inout Seen) -> Void) {
    seen.withLock { body(&$0) }
    changed.send()
  }

  /// How many handlers have begun.
  var begun: Int { seen.withLock { $0.begun } }

  /// Waits until what was seen is as wanted.
  func until(_ isWanted: (Seen) -> Bool) async throws {
    while true {
      let count = changed.count
      if seen.withLock({ isWanted($0) }) { return }
      try await changed.wait(past: count)
    }
  }

  // MARK: The client

  /// Sends as much as is taken: a server that has ended the connection takes no more.
  func send(_ bytes: [UInt8]) async {
    let descriptor = descriptor
    await SystemThread.run(name: "http2-client") {
      _ = clinux_set_nonblocking(descriptor, 0)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { clinux_write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// The frames that come until one is as wanted, or the server ends the connection.
  func frames(until isWanted: @escaping @Sendable (HTTP2Frame) -> Bool) async -> (frames: [HTTP2Frame], isEnded: Bool) {
    let descriptor = descriptor
    return await SystemThread.run(name: "http2-client") {
      _ = clinux_set_nonblocking(descriptor, 0)
      var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
      while !HTTP2Frame.all(in: bytes).frames.contains(where: isWanted) {
        let count = clinux_read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
          if count == -Int(EAGAIN) { Issue.record("Nothing came in time.") }
          return (HTTP2Frame.all(in: bytes).frames, true)
        }
        bytes += buffer[..<count]
      }
      return (HTTP2Frame.all(in: bytes).frames, false)
    }
  }

  /// All frames until the server ends the connection.
  func framesToEnd() async -> [HTTP2Frame] { await frames { _ in false }.frames }
}
