import CLinux
package import EventLoop
import Synchronization

extension Connection {
  /// Serves the peer until it hangs up, breaks the protocol, stalls, or this side closes.
  ///
  /// When it returns every call has ended, and the tasks of the handlers have been cancelled and awaited. What was
  /// answered until then has been sent, unless the peer stopped reading. Once only.
  package func run(handler: some MessageHandler) async -> CloseReason {
    precondition(!hasRun, "a connection runs once")
    hasRun = true
    self.handler = handler
    startReading()
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        while await hasMessages() {
          if !queue.wakeWorker() { group.addTask(executorPreference: loop) { await self.work() } }
          // The worker is before this task in the loop's queue: it may leave nothing for another one.
          await Task.yield()
        }
        queue.dismissWorkers()
        group.cancelAll()
      }
    } onCancel: {
      shutDown(.cancelled)
    }
    await drain()
    return finish()
  }

  /// Ends the connection: every call fails with the reason, `run` returns.
  package nonisolated func close(_ reason: CloseReason) async { shutDown(reason) }

  /// The same from code that is not async. The first reason counts.
  package nonisolated func shutDown(_ reason: CloseReason) {
    let waiters = shared.withLock { shared -> [Waiter] in
      guard shared.closed == nil else { return [] }
      shared.closed = reason
      if !reason.allowsSending { shared.dropOutbox() }
      return shared.calls.close()
    }
    for waiter in waiters { waiter.resume(.failure(.found(reason.errorObject))) }
    let readers = streams.withLock { $0.close(reason) }
    for reader in readers { reader.resume(.changed) }
    onLoop { connection in
      connection.hasClosed = true
      connection.startReading()
      connection.resumeRun()
    }
  }

  /// Returns the output descriptor of a closed connection to its owner, who may close the descriptor before `run`
  /// returns. Bytes that the peer has not taken by now are not sent. Only for connections with two descriptors.
  package func releaseOutput() {
    precondition(closeReason != nil && input != output, "the output of an open connection is given back")
    flush()
    shared.withLock { shared in
      shared.isOver = true
      shared.awaitsWritable = false
      shared.dropOutbox()
    }
    // Later the number may be another's, and taking it from the loop would make that one deaf.
    if let outputWatch { loop.unwatch(outputWatch) }
    outputWatch = nil
    resumeDrain()
  }

  /// Waits for messages that no worker has taken; false when the connection has ended.
  private func hasMessages() async -> Bool {
    while queue.waiting == 0 {
      if closeReason != nil { return false }
      await unsafe withUnsafeContinuation { continuation in
        // Looked at again: the loop may do something else before this closure is called.
        guard queue.waiting == 0, closeReason == nil else { return unsafe continuation.resume() }
        unsafe acceptWaiter.wait(continuation)
      }
    }
    return true
  }

  /// Has what was read worked on. One message is for a worker that rests; the task that runs the connection looks after
  /// more of them, and after the end.
  func resumeRun() {
    let count = queue.waiting
    guard hasClosed || count > 0 else { return }
    let isTaken = count > 0 && queue.wakeWorker()
    if hasClosed || count > 1 || !isTaken { acceptWaiter.resume() }
  }

  /// Sends what is left, as long as the peer takes it.
  private func drain() async {
    guard let reason = closeReason, reason.allowsSending else { return }
    flush()
    while awaitsDrain {
      await unsafe withUnsafeContinuation { continuation in
        guard awaitsDrain else { return unsafe continuation.resume() }
        unsafe drainWaiter.wait(continuation)
      }
    }
  }

  private var awaitsDrain: Bool { shared.withLock { $0.awaitsWritable && !$0.outbox.isEmpty } }

  private func finish() -> CloseReason {
    let reason = shared.withLock { shared -> CloseReason in
      shared.isOver = true
      shared.dropOutbox()
      return shared.closed ?? .finished
    }
    queue.close()
    inputAccount.close()
    if let inputWatch { loop.unwatch(inputWatch) }
    if let outputWatch { loop.unwatch(outputWatch) }
    inputWatch = nil
    outputWatch = nil
    for timer in [timers.calls, timers.stall, timers.partial, timers.pause, timers.streams, timers.rest] {
      if let timer { loop.cancel(timer) }
    }
    timers = Timers()
    for descriptor in wasBlocking { _ = clinux_set_nonblocking(descriptor, 0) }
    handler = NoHandler()
    return reason
  }
}

extension Connection {
  /// Two connected ends in this process, for tests. `closeDescriptors` closes what they run over.
  package static func pair(
    on loop: EventLoop, configuration: Configuration = Configuration()
  ) -> (Connection, Connection) {
    var first: Int32 = -1
    var second: Int32 = -1
    let failure = unsafe clinux_stream_pair(&first, &second)
    precondition(failure == 0, "no socket pair: errno \(-failure)")
    return (
      Connection(on: loop, input: first, output: first, configuration: configuration),
      Connection(on: loop, input: second, output: second, configuration: configuration)
    )
  }

  /// Closes the descriptors, after `run`. For the ends of a pair; other descriptors have an owner.
  package func closeDescriptors() {
    for descriptor in Set([input, output]) { clinux_close(descriptor) }
  }
}
