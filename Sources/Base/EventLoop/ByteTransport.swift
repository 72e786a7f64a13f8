/// An open connection that carries bytes in order, such as one that a server has given to another protocol. It belongs to
/// the thread of one event loop.
package protocol ByteTransport: AnyObject {
  /// The descriptor that the loop watches for readiness. It stays the same until `close`.
  var descriptor: Int32 { get }

  /// Reads the bytes that have come, without waiting.
  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteTransfer

  /// Writes as many bytes as are taken without waiting. After `wait` the same bytes come again, at the same place in memory.
  @unsafe func write(_ bytes: UnsafeRawBufferPointer) -> ByteTransfer

  /// Frees the connection below. Called once, as the last thing.
  func close()
}

/// The result of a read or a write.
package enum ByteTransfer: Sendable, Hashable {
  /// The number of bytes that were moved, at least one.
  case bytes(Int)
  /// Nothing was moved: the descriptor tells when to try again.
  case wait
  /// The peer has ended its direction, or the connection is broken.
  case over
}
