import Glibc

/// Allocates memory with `malloc`, which the caller frees with `free`. Aligned allocation takes about three times as
/// long.
///
/// - Parameter old: a block to enlarge, whose bytes are kept; invalid afterwards.
@unsafe func heapMemory(_ bytes: Int, growing old: UnsafeMutableRawPointer? = nil) -> UnsafeMutableRawPointer {
  guard let memory = unsafe realloc(old, bytes) else { preconditionFailure("no memory for \(bytes) bytes of JSON") }
  return unsafe memory
}

/// Whether two pieces of memory hold the same bytes. For names: nearly all are shorter than two words, and a call of
/// `memcmp` costs more than comparing them.
@inline(__always)
@unsafe package func memoryIsEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
  if count >= 8 {
    var index = 0
    while index &+ 8 <= count {
      if unsafe !wordIsEqual(UInt64.self, left, right, index) { return false }
      index &+= 8
    }
    return unsafe index == count || wordIsEqual(UInt64.self, left, right, count &- 8)
  }
  if count >= 4 {
    return unsafe wordIsEqual(UInt32.self, left, right, 0) && wordIsEqual(UInt32.self, left, right, count &- 4)
  }
  for index in 0..<count where unsafe !wordIsEqual(UInt8.self, left, right, index) { return false }
  return true
}

@inline(__always)
@unsafe func wordIsEqual<Word: FixedWidthInteger & BitwiseCopyable>(
  _ word: Word.Type, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ offset: Int
) -> Bool {
  unsafe left.loadUnaligned(fromByteOffset: offset, as: Word.self)
    == right.loadUnaligned(fromByteOffset: offset, as: Word.self)
}
