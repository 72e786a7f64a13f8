import Synchronization

/// The tasks that run the handlers of messages.
///
/// A worker handles one message after the other, as making a task for each costs as much as reading and answering it.
/// When a worker waits in a message, another takes the next message. So messages begin in the order of arrival, and
/// none waits for another's answer. Workers prefer the loop and are not isolated to the connection: a task resumes on
/// the executor that it prefers, and would need a second turn of the loop to become isolated again.
extension Connection {
  /// Does the work of messages until the connection ends.
  @concurrent nonisolated func work() async {
    let task = RunningTask()
    defer { task.end() }
    repeat {
      while let message = queue.take() {
        if let id = message.id {
          // From here to `finished` the task can be cancelled by the peer.
          queue.started(message.slot, task)
          let reply: Reply
          do {
            reply = try await message.work.run()
          } catch {
            reply = Reply(body: .failure(ErrorObject(thrownByHandler: error)))
          }
          queue.finished(id, message)
          answer(id, reply)
          if reply.hasMore { await finishUp(reply, task) }
        } else {
          _ = try? await message.work.run()
          queue.finishedNotification(message)
        }
        // What cancelled one message must not reach the next: a cancelled task ends.
        if Task.isCancelled { return }
      }
      // Written here: every return of an async function asks once more where the task prefers to be.
    } while await unsafe withUnsafeContinuation { unsafe queue.addIdle(IdleWorker($0)) }
  }

  /// Does what is left to do when the answer is on its way.
  private nonisolated func finishUp(_ reply: Reply, _ task: RunningTask) async {
    await reply.afterwards?()
    if let filling = reply.filling { await fill(filling, task) }
  }

  /// Fills a stream until the receiver drops it.
  private nonisolated func fill(_ filling: StreamFilling, _ task: RunningTask) async {
    let id = filling.stream.id
    let isOver = streams.withLock { $0.isOver(id) }
    // From here to `filled` the task can be cancelled by the peer.
    queue.fills(id, task, isOver: isOver)
    let error: ErrorObject?
    do {
      try await filling.work()
      error = nil
    } catch let thrown {
      error = ErrorObject(thrownByHandler: thrown)
    }
    queue.filled(id)
    filling.stream.finish(error)
  }
}
