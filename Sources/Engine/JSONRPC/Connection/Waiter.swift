/// A caller that waits for an answer.
///
/// `@safe`, because: the code that resumes a waiter has removed it from the table of calls under the lock, or received
/// it before it entered the table. So it is resumed exactly once.
@safe
struct Waiter: Sendable {
  private let continuation: UnsafeContinuation<CallAnswer, Never>

  init(_ continuation: UnsafeContinuation<CallAnswer, Never>) { unsafe self.continuation = continuation }

  func resume(_ answer: CallAnswer) { unsafe continuation.resume(returning: answer) }
}

/// Holds at most one suspended task. Used on the loop's thread only.
///
/// `@safe`, because: the continuation is removed before it is resumed.
@safe
struct SingleWaiter {
  private var continuation: UnsafeContinuation<Void, Never>?

  mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    precondition(unsafe self.continuation == nil, "two tasks wait where one may")
    unsafe self.continuation = continuation
  }

  mutating func resume() {
    guard let waiting = unsafe continuation else { return }
    unsafe continuation = nil
    unsafe waiting.resume()
  }
}
