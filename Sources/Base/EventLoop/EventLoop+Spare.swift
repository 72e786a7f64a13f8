extension EventLoop {
  /// The size of the memory that ``takeSpare()`` gives, in bytes.
  package static let spareSize = 64 << 10

  /// Memory of ``spareSize`` bytes to read into, which belongs to the caller until it gives it back or frees it. On the
  /// loop's thread.
  ///
  /// Those who read on a loop take turns. So they need one such piece among them, and not one each while they wait.
  @unsafe package func takeSpare() -> UnsafeMutableRawPointer {
    requireLoop()
    return unsafe spare.take() ?? .allocate(byteCount: Self.spareSize, alignment: 8)
  }

  /// Gives memory of ``takeSpare()`` back. The loop keeps one piece, and frees what is more. On the loop's thread.
  @unsafe package func giveSpare(_ memory: UnsafeMutableRawPointer) {
    requireLoop()
    unsafe spare.give(memory)
  }
}

/// A piece of memory that somebody may take, or none.
///
/// `@safe`, because: nothing reads or writes the piece while it is here.
@safe
struct SpareMemory: ~Copyable {
  private var memory: UnsafeMutableRawPointer?

  init() { unsafe memory = nil }

  deinit { unsafe memory?.deallocate() }

  var isEmpty: Bool { unsafe memory == nil }

  @unsafe mutating func take() -> UnsafeMutableRawPointer? {
    defer { unsafe memory = nil }
    return unsafe memory
  }

  @unsafe mutating func give(_ piece: UnsafeMutableRawPointer) {
    if unsafe memory == nil { unsafe memory = unsafe piece } else { unsafe piece.deallocate() }
  }
}
