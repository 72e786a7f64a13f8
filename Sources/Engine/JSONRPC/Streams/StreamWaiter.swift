import EventLoop
import Synchronization

/// One end of one stream, of this side.
struct StreamEndpoint: Hashable, Sendable {
  let id: String
  let isOutgoing: Bool
}

/// Why a task that waited at a stream goes on.
enum StreamWake: Sendable {
  /// Something has changed: look again.
  case changed
  case timedOut
  case cancelled
}

/// A task that waits at a stream.
///
/// `@safe`, because: whoever resumes one has taken it out of its place, under the lock of the streams, or was given it
/// before it came there: it is resumed exactly once.
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
