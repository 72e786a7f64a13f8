import Synchronization

/// The tasks that do the work of messages.
///
/// A worker does one message after the other, as making a task for each costs as much as reading and answering it. When
/// one waits in a message, another goes on with the next; so messages begin in the order of arrival, and none waits for
/// another's answer. Workers prefer the loop and are not isolated to the connection: a task that waits goes on where it
/// prefers to be, and would need a second turn of the loop to become isolated again.
extension Connection {
  /// Does the work of messages until the connection ends.
  @concurrent nonisolated func work() async {
    repeat {
      while let message = board.take() {
        await perform(message)
        // What cancelled one message must not reach the next: a cancelled task ends.
        if Task.isCancelled { return }
      }
    } while await isNeeded()
  }

  private nonisolated func isNeeded() async -> Bool {
    await unsafe withUnsafeContinuation { unsafe board.rest(RestingWorker($0)) }
  }

  /// Does the work of one message, and answers.
  private nonisolated func perform(_ message: AcceptedMessage) async {
    guard let id = message.id else {
      _ = try? await message.work()
      return board.finishedNotification()
    }
    // From here to `finished` the task can be cancelled by the peer.
    unsafe withUnsafeCurrentTask { task in
      if let task = unsafe task { unsafe board.started(message.slot, RunningTask(task)) }
    }
    let reply: Reply
    do {
      reply = try await message.work()
    } catch {
      reply = Reply(body: .failure(ErrorObject(thrownByHandler: error)))
    }
    board.finished(id, message.slot)
    answer(id, reply)
    await reply.afterwards?()
    if let filling = reply.filling { await perform(filling) }
  }

  /// Fills a stream until the receiver drops it.
  private nonisolated func perform(_ filling: StreamFilling) async {
    let id = filling.stream.id
    let isOver = streams.withLock { $0.isOver(id) }
    // From here to `filled` the task can be cancelled by the peer.
    unsafe withUnsafeCurrentTask { task in
      if let task = unsafe task { board.fills(id, unsafe RunningTask(task), isOver: isOver) }
    }
    let error: ErrorObject?
    do {
      try await filling.work()
      error = nil
    } catch let thrown {
      error = ErrorObject(thrownByHandler: thrown)
    }
    board.filled(id)
    filling.stream.finish(error)
  }
}
