import Glibc

/// Memory as `malloc` gives it, to be given back to `free`: what asks for an alignment takes a way three times as long.
///
/// - Parameter old: memory that grows to the size and keeps its bytes; gone afterwards.
@unsafe func heapMemory(_ bytes: Int, growing old: UnsafeMutableRawPointer? = nil) -> UnsafeMutableRawPointer {
  guard let memory = unsafe realloc(old, bytes) else { preconditionFailure("no memory for \(bytes) bytes of JSON") }
  return unsafe memory
}
