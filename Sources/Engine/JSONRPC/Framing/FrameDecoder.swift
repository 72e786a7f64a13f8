import EventLoop
import Glibc

/// Divides a stream of bytes into messages, in place in one buffer, from chunks cut at any offset.
///
/// Use: read into `prepare()`, pass the number of bytes to `received`, and call `next` until it returns `.incomplete`.
///
/// The buffer begins at 64 KiB and grows once to the known length of a large message, or in steps for lines. After
/// the message it shrinks to its first size. Between messages there need be none: see ``putAway()``.
///
/// `@safe`, because: it owns its buffer alone, and every access is between `start` and `end`, which stay within
/// `capacity`.
@safe
package struct FrameDecoder: ~Copyable {
  /// What comes next on the stream.
  package enum Piece {
    /// A message. Its bytes are valid until the next `prepare`, `detach` or `putAway`.
    case frame(Range<Int>)
    case noise(Noise)
    /// More bytes are needed.
    case incomplete
  }

  static let smallCapacity = EventLoop.spareSize
  /// A mebibyte, and what stands around it.
  static let largeCapacity = (1 << 20) + smallCapacity
  static let headerLimit = 8 << 10

  /// How messages are separated.
  package let framing: Framing
  /// The most bytes of one message.
  package let limit: Int
  /// Nothing of it is read while ``capacity`` is 0.
  var buffer = unsafe Self.noBuffer
  /// The size of the buffer in bytes; 0 while there is none.
  package internal(set) var capacity = 0
  var start = 0
  var end = 0
  /// Of a line: the bytes from `start` that are known to have no LF.
  var scanned = 0
  /// Bytes from `start` that the message at hand needs, as far as known.
  var needed = 1

  /// Creates a decoder without a buffer.
  package init(framing: Framing, limit: Int) {
    self.framing = framing
    self.limit = limit
  }

  deinit { if capacity > 0 { unsafe buffer.deallocate() } }

  /// An address of no memory.
  private static var noBuffer: UnsafeMutableRawPointer {
    guard let address = unsafe UnsafeMutableRawPointer(bitPattern: 16) else { preconditionFailure("16 is null") }
    return unsafe address
  }

  /// Takes over memory of `smallCapacity` bytes as the buffer. There must be none.
  @unsafe package mutating func adopt(_ memory: UnsafeMutableRawPointer) {
    precondition(capacity == 0, "there is a buffer")
    unsafe buffer = memory
    capacity = Self.smallCapacity
  }

  /// Ends the buffer when there is nothing in it and no large message is to come.
  ///
  /// - Returns: the buffer, which belongs to the caller, when it has the size for `adopt(_:)`.
  @unsafe package mutating func putAway() -> UnsafeMutableRawPointer? {
    guard capacity > 0, start == end, needed <= Self.smallCapacity else { return nil }
    let (memory, size) = unsafe (buffer, capacity)
    unsafe buffer = Self.noBuffer
    (capacity, start, end) = (0, 0, 0)
    if size == Self.smallCapacity { return unsafe memory }
    unsafe memory.deallocate()
    return nil
  }

  /// Whether a message has begun and not ended.
  package var isPartial: Bool { end > start }

  /// Bytes that the message at hand still needs, as far as its length is known.
  var missing: Int { max(0, needed - (end - start)) }

  /// Free memory to read into, never empty.
  @unsafe package mutating func prepare() -> UnsafeMutableRawBufferPointer {
    if capacity == 0 { unsafe adopt(.allocate(byteCount: Self.smallCapacity, alignment: 8)) }
    if start == end {
      start = 0
      end = 0
      if capacity > Self.smallCapacity, needed <= Self.smallCapacity { replaceBuffer(Self.smallCapacity) }
    }
    if needed > capacity {
      replaceBuffer(needed)
    } else if start + needed > capacity || (end == capacity && start > capacity / 2) {
      moveToFront()
    } else if end == capacity {
      // Of a line the length is not known. What is longer than the first buffer is mostly much longer: with room for a
      // mebibyte, and doubling from there, it is read with few copies. Memory that nothing is written to costs nothing.
      replaceBuffer(min(max(capacity * 2, Self.largeCapacity), max(capacity + 1, limit + Self.headerLimit + 1)))
    }
    return unsafe UnsafeMutableRawBufferPointer(start: buffer + end, count: capacity - end)
  }

  /// Adds bytes that were read into the space of `prepare()`.
  package mutating func received(_ count: Int) {
    precondition(count >= 0 && end + count <= capacity, "more was received than there was space for")
    end += count
  }

  /// Returns the next message, noise between messages, or `.incomplete`.
  ///
  /// - Throws: ``FramingError``; the stream cannot be read any further.
  package mutating func next() throws(FramingError) -> Piece {
    switch framing {
    case .lines: try nextLine()
    case .contentLength: try nextBlock()
    }
  }

  /// The bytes of a frame that `next` has given.
  @unsafe package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: buffer + range.lowerBound, count: range.count)
  }

  /// Returns a large frame with the buffer it lies in, and continues in a new buffer.
  ///
  /// - Parameter ledger: the ledger that the buffer counts against until the frame is released.
  mutating func detach(_ range: Range<Int>, on ledger: PeerLedger) -> DetachedBytes {
    let detached = unsafe DetachedBytes(buffer, range, hold: LedgerHold(capacity, on: ledger))
    let rest = end - start
    let size = max(Self.smallCapacity, rest)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    unsafe fresh.copyMemory(from: buffer + start, byteCount: rest)
    unsafe buffer = fresh
    capacity = size
    start = 0
    end = rest
    return detached
  }

  private mutating func moveToFront() {
    unsafe memmove(buffer, buffer + start, end - start)
    end -= start
    start = 0
  }

  private mutating func replaceBuffer(_ size: Int) {
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    unsafe fresh.copyMemory(from: buffer + start, byteCount: end - start)
    unsafe buffer.deallocate()
    unsafe buffer = fresh
    capacity = size
    end -= start
    start = 0
  }

  func byte(_ index: Int) -> UInt8 { unsafe buffer.load(fromByteOffset: index, as: UInt8.self) }

  /// The index of the first LF from `from` on.
  func lineFeed(from: Int) -> Int? {
    guard from < end, let found = unsafe memchr(buffer + from, 0x0A, end - from) else { return nil }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(buffer)
  }

  func text(_ range: Range<Int>) -> String {
    let shown = range.prefix(Noise.shown)
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: buffer + shown.lowerBound, count: shown.count), as: UTF8.self)
  }

  /// Takes the bytes up to `upper` away as noise.
  mutating func noise(upTo upper: Int) -> Piece {
    let piece = Noise(count: upper - start, beginning: text(start..<upper))
    start = upper
    scanned = 0
    needed = 1
    return .noise(piece)
  }
}

/// A large message that left the decoder with its buffer.
///
/// `@unchecked Sendable`, because: the bytes are never written again, and freed when the last holder is gone.
@safe
final class DetachedBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableRawPointer
  private let range: Range<Int>
  private let hold: LedgerHold

  @unsafe init(_ buffer: UnsafeMutableRawPointer, _ range: Range<Int>, hold: LedgerHold) {
    unsafe self.buffer = buffer
    self.range = range
    self.hold = hold
  }

  deinit { unsafe buffer.deallocate() }

  /// Valid in `body` only.
  func withBytes<Result>(
    _ part: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(self) {
      try unsafe body(
        UnsafeRawBufferPointer(start: buffer + range.lowerBound + part.lowerBound, count: part.count))
    }
  }
}
