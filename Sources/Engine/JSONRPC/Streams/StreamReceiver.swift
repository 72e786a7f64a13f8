/// The receiving half of a stream. Pure: it counts the bytes that may arrive, those that wait, and the credit to grant.
///
/// At most one window of bytes waits for the reader: credit is granted when a reader has claimed the stream, and again
/// when half of the window has been read.
struct StreamReceiver {
  enum Verdict: Equatable {
    case accepted
    /// It crossed the end on its way.
    case ignored
    /// The sender broke the rules of streams.
    case violation(String)
  }

  let window: Int
  private(set) var end: StreamEnd?
  private(set) var isOpen = false
  private(set) var isClaimed = false
  /// What the sender may still send.
  private(set) var outstanding = 0
  /// Read, and not granted again yet.
  private var consumed = 0
  private var sequence: Int64 = 0

  init(window: Int) { self.window = max(1, window) }

  /// Records that the sender opened the stream.
  ///
  /// - Returns: the credit to grant, in bytes; 0 while no reader has claimed the stream.
  mutating func opened() -> Int {
    isOpen = true
    return firstGrant()
  }

  /// Records that a reader claimed the stream. Returns the same as `opened`.
  mutating func claimed() -> Int {
    isClaimed = true
    return firstGrant()
  }

  private mutating func firstGrant() -> Int {
    guard isOpen, isClaimed, end == nil, outstanding == 0, sequence == 0 else { return 0 }
    outstanding = window
    return window
  }

  mutating func received(_ bytes: Int, sequence: Int64) -> Verdict {
    if end != nil { return .ignored }
    guard isOpen else { return .violation("Data came before the stream was opened.") }
    guard sequence == self.sequence + 1 else {
      return .violation("Message \(sequence) came where \(self.sequence + 1) was due.")
    }
    guard bytes <= outstanding else {
      return .violation("\(bytes) bytes came with \(outstanding) bytes of credit left.")
    }
    self.sequence = sequence
    outstanding -= bytes
    return .accepted
  }

  /// The reader took so many bytes.
  ///
  /// - Returns: the credit to grant, 0 for none.
  mutating func took(_ bytes: Int) -> Int {
    consumed += bytes
    guard end == nil, consumed * 2 >= window else { return 0 }
    defer { consumed = 0 }
    outstanding += consumed
    return consumed
  }

  /// - Returns: false when it was over already; the first end counts.
  mutating func stop(_ end: StreamEnd) -> Bool {
    guard self.end == nil else { return false }
    self.end = end
    return true
  }
}
