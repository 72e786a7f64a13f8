import EventLoop
import Synchronization

/// One end of one stream, of this side.
struct StreamEndpoint: Hashable, Sendable {
  let id: String
  let isOutgoing: Bool
}

/// The reason why a task that waited at a stream resumes.
enum StreamWake: Sendable {
  /// Something has changed: look again.
  case changed
  case timedOut
  case cancelled
}

/// A task that waits at a stream.
///
/// `@safe`, because: the code that resumes a waiter has removed it from its place under the lock of the streams, or
/// received it before it was stored. So it is resumed exactly once.
@safe
struct StreamWaiter: Sendable {
  private let continuation: UnsafeContinuation<StreamWake, Never>
  /// Turns of the streams' clock until it gives up.
  var turnsLeft: Int

  init(_ continuation: UnsafeContinuation<StreamWake, Never>, turnsLeft: Int) {
    unsafe self.continuation = continuation
    self.turnsLeft = turnsLeft
  }

  func resume(_ wake: StreamWake) { unsafe continuation.resume(returning: wake) }
}
