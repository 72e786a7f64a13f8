/// The tasks that do the work of messages.
///
/// A worker does one message after the other, as making a task for each costs as much as reading and answering it.
/// Workers prefer the loop and are not isolated to the connection: a task that waits goes on where it prefers to be, and
/// would need a second turn of the loop to become isolated again. They begin in the order of arrival.
extension Connection {
  /// Does the work of a message, and of others while there are some.
  @concurrent nonisolated func work(_ first: AcceptedMessage) async {
    var message = first
    while true {
      await perform(message)
      // What cancelled one message must not reach the next: a cancelled task ends.
      guard !Task.isCancelled, let next = await nextMessage() else { return }
      message = next
    }
  }

  private nonisolated func nextMessage() async -> AcceptedMessage? {
    await unsafe withUnsafeContinuation { unsafe board.rest(IdleWorker($0)) }
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
  }
}
