import Glibc

/// One descriptor with one owner: closed when it is not handed on.
struct Descriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Returns the number to the caller, who closes it.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}
