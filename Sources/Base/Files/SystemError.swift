import Glibc

/// An error number of the system, printed in the words of the C library: `Permission denied`.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let number: Int32

  /// - Parameter number: a value of `errno`.
  package init(_ number: Int32) { self.number = number }

  /// What the last call that failed on this thread left in `errno`.
  package static var last: SystemError { SystemError(errno) }

  /// The text; `error 4711` for a number that the C library has no words for.
  package var description: String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
