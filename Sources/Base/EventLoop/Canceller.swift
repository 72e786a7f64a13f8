/// Cancels the task that made it, as long as its work lasts; after that it does nothing.
///
/// `@unchecked Sendable`, because: every use is on the loop's thread, which each of them requires.
@safe package final class Canceller: @unchecked Sendable {
  private let loop: EventLoop
  /// Valid while the task runs that sets it and takes it back.
  private var task: UnsafeCurrentTask?

  fileprivate init(_ loop: EventLoop) {
    self.loop = loop
    unsafe task = withUnsafeCurrentTask { unsafe $0 }
  }

  /// On the loop's thread.
  package func cancel() {
    loop.requireLoop()
    unsafe task?.cancel()
  }

  fileprivate func end() {
    loop.requireLoop()
    unsafe task = nil
  }
}

/// Runs `work` as part of the current task, which others on the loop's thread may cancel meanwhile. No task is made, so it
/// is for tasks that end with the work: one that was cancelled stays so. On the loop's thread.
package func withCanceller<Value: Sendable>(
  on loop: EventLoop, _ work: (Canceller) async throws -> Value
) async rethrows -> Value {
  loop.requireLoop()
  let canceller = Canceller(loop)
  defer { canceller.end() }
  return try await work(canceller)
}
