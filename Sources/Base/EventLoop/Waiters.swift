/// Tasks of one actor on a loop that wait until a condition holds, or for at most some time: what a condition variable
/// is for threads. Belongs to the loop's thread.
package final class Waiters {
  private let loop: EventLoop
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var nextWaiter = 0
  /// Waiters whose time is over and who have not run since.
  private var expired: Set<Int> = []

  /// Creates an empty set of waiters on a loop.
  package init(on loop: EventLoop) { self.loop = loop }

  /// Waits until the condition holds; it is asked at once and whenever `wake` is called.
  ///
  /// - Returns: false when the time was over first.
  @discardableResult
  nonisolated(nonsending)
    package func wait(atMost limit: Duration, until condition: () -> Bool) async -> Bool
  {
    if condition() { return true }
    let number = nextWaiter
    nextWaiter += 1
    let timer = loop.schedule(after: limit) { self.giveUp(number) }
    while !condition(), !expired.contains(number) {
      await withCheckedContinuation { continuation in
        // Looked at again: the loop may do something else before this closure is called.
        if condition() || expired.contains(number) { return continuation.resume() }
        waiters[number] = continuation
      }
    }
    expired.remove(number)
    loop.cancel(timer)
    return condition()
  }

  /// Asks every condition again: something has changed.
  package func wake() {
    let waiting = waiters
    waiters = [:]
    for waiter in waiting.values { waiter.resume() }
  }

  private func giveUp(_ number: Int) {
    expired.insert(number)
    waiters.removeValue(forKey: number)?.resume()
  }
}
