/// The stream of bytes below a connection. Belongs to the loop's thread.
package protocol WebSocketTransport: AnyObject {
  /// What is watched for readiness; it stays the same.
  var descriptor: Int32 { get }

  /// Reads what there is, without waiting.
  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketTransfer

  /// Writes what can be taken, without waiting. After `wait` the same bytes come again, at the same place in memory.
  @unsafe func write(_ bytes: UnsafeRawBufferPointer) -> WebSocketTransfer

  /// Frees the connection below. Called once, as the last thing.
  func close()
}

/// What became of a read or a write.
package enum WebSocketTransfer: Sendable, Hashable {
  /// So many bytes, at least one.
  case bytes(Int)
  /// Nothing now: the descriptor tells when to try again.
  case wait
  /// The peer has ended its direction, or the connection is broken.
  case over
}
