/// Why there is no event loop: descriptors, threads or memory have run out.
package struct EventLoopError: Error, Equatable, CustomStringConvertible {
  /// The call of the system that failed.
  package let call: String
  /// `EMFILE` and `ENFILE` for descriptors, `EAGAIN` for threads, `ENOMEM`, `ENOSPC` for watches.
  package let errno: Int32

  init(_ call: String, errno: Int32) {
    self.call = call
    self.errno = errno
  }

  /// One sentence.
  package var description: String { "There is no event loop: \(call) failed with errno \(errno)." }
}
