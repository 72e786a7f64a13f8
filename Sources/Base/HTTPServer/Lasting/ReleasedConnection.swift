internal import CLinux
internal import CMicroHTTPD
internal import EventLoop
internal import Glibc

/// A connection that libmicrohttpd has let go, or never had.
///
/// Without TLS the library is done with it at once, and what it kept of the request is free. With TLS it is the library's
/// end of a pair of sockets, whose bytes its thread carries on, and closing it is up to the library.
///
/// `@unchecked Sendable`, because: both members are constant, and the library takes its calls from any thread.
@safe
final class ReleasedConnection: ByteTransport, @unchecked Sendable {
  let descriptor: Int32
  /// `nil` where the descriptor is no longer the library's.
  private let handle: OpaquePointer?

  /// - Parameter isSecure: whether the connection has TLS.
  init(_ descriptor: Int32, _ handle: OpaquePointer, isSecure: Bool) {
    let own = isSecure ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    self.descriptor = own < 0 ? descriptor : own
    unsafe self.handle = own < 0 ? handle : nil
    if own >= 0 { unsafe cmhd_close_upgraded(handle) }
    begin()
  }

  /// - Parameter descriptor: closed with the connection.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    unsafe handle = nil
    begin()
  }

  private func begin() {
    _ = clinux_set_nonblocking(descriptor, 1)
    // A short frame is sent at once, also while the one before it is not acknowledged. With TLS the socket is none of the
    // network's, and this fails.
    var isOn: Int32 = 1
    _ = unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteTransfer {
    Self.transfer(unsafe clinux_read(descriptor, buffer.baseAddress, buffer.count))
  }

  @unsafe func write(_ bytes: UnsafeRawBufferPointer) -> ByteTransfer {
    Self.transfer(unsafe clinux_write(descriptor, bytes.baseAddress, bytes.count))
  }

  private static func transfer(_ result: Int) -> ByteTransfer {
    if result > 0 { return .bytes(result) }
    return [-Int(EAGAIN), -Int(EINTR)].contains(result) ? .wait : .over
  }

  func close() {
    if let handle = unsafe handle {
      unsafe cmhd_close_upgraded(handle)
    } else {
      _ = Glibc.close(descriptor)
    }
  }
}
