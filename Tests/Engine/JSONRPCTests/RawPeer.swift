import CLinux
import EventLoop
import JSON
import JSONRPC
import Synchronization
import Testing

/// A connection whose other end is a plain socket: the test writes bytes and reads lines.
final class RawPeer: Sendable {
  let connection: Connection
  let handler = Peer()
  private let descriptor: Int32
  private let loop: EventLoop
  private let pending = Mutex<[UInt8]>([])

  private init(_ loop: EventLoop, _ configuration: Connection.Configuration) {
    var first: Int32 = -1
    var second: Int32 = -1
    #expect(clinux_stream_pair(&first, &second) == 0)
    self.loop = loop
    descriptor = second
    connection = Connection(on: loop, input: first, output: first, configuration: configuration)
  }

  /// Runs the connection, the body, and closes; the reason why the connection ended.
  @discardableResult
  static func with(
    _ configuration: Connection.Configuration = .init(), _ body: @Sendable (RawPeer) async throws -> Void
  ) async throws -> CloseReason {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let peer = RawPeer(loop, configuration)
    let end = Task {
      let reason = await peer.connection.run(handler: peer.handler)
      await peer.connection.closeDescriptors()
      return reason
    }
    do { try await body(peer) } catch {
      await peer.connection.close(.cancelled)
      _ = await end.value
      throw error
    }
    peer.hangUp()
    return await end.value
  }

  private let isOpen = Mutex(true)

  func hangUp() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { clinux_close(descriptor) }
  }

  /// Writes all of the bytes, as fast as the connection takes them; false when it is gone.
  @discardableResult
  func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { clinux_write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 { rest = rest.dropFirst(written) } else if written != -11 { return false }
      await Task.yield()
    }
    return true
  }

  /// The next line that the connection writes; `nil` at its end.
  func line() async -> String? {
    while true {
      let line = pending.withLock { pending -> String? in
        guard let end = pending.firstIndex(of: 0x0A) else { return nil }
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      if let line { return line }
      guard await receive() else { return nil }
    }
  }

  /// Reads once what is there; false at the end.
  func receive() async -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = buffer.withUnsafeMutableBytes { clinux_read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        pending.withLock { $0 += buffer[..<count] }
        return true
      }
      // A test whose time is over is cancelled.
      if count != -11 || Task.isCancelled { return false }
      await Task.yield()
    }
  }

  func value() async throws -> JSONValue? { try await line().map { try JSONValue(parsing: $0) } }

  var events: [WireEvent] { handler.heard.withLock { $0.events } }
}
