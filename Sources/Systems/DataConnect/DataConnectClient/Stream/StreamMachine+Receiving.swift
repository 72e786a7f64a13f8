/// Handles the messages of the server.
extension StreamMachine {
  mutating func received(_ reply: StreamReply) {
    guard phase == .open else { return }
    guard let request = reply.requestID else {
      let said = reply.refusal.map { refusal in
        DataConnectFailure(refusal, status: nil, operation: DataOperation("stream", kind: .query), at: endpoint)
      }
      if said?.code == .unauthenticated { refusals += 1 }
      if let said, refusals > 1 { return end(said) }
      return breakOff(said ?? .misshapen("a frame of the stream names no request", at: endpoint))
    }
    refusals = 0
    if let key = subscriptions.first(where: { $0.value.request == request })?.key {
      received(reply, key: key)
    } else if let call = calls[request] {
      received(reply, call)
    }
    // Anything else was cancelled meanwhile.
  }

  private mutating func received(_ reply: StreamReply, key: String) {
    guard var subscription = subscriptions[key] else { return }
    if let refusal = reply.refusal {
      let failure = DataConnectFailure(refusal, status: nil, operation: subscription.operation, at: endpoint)
      guard failure.code == .unauthenticated, !subscription.isRetried else { return drop(key, failure) }
      subscriptions[key]?.refusal = failure
      return outputs.append(.askToken(isRefused: true))
    }
    if reply.answer.data != nil || !reply.answer.errors.isEmpty {
      subscription.last = reply.answer
      subscription.etag = reply.etag
      subscription.isRetried = false
      subscription.looking = []
      outputs.append(.deliver(subscription.subscribers, reply.answer))
    }
    if let last = subscription.last {
      for id in subscription.waiting { outputs.append(.answer(id, last)) }
      subscription.waiting = []
    }
    subscriptions[key] = subscription
    guard reply.isCancelled else { return }
    drop(
      key,
      DataConnectFailure(
        .failed, "The server does not follow \"\(subscription.operation.name)\" any more.", recovery: "Subscribe again."
      ))
  }

  private mutating func received(_ reply: StreamReply, _ call: Call) {
    if let refusal = reply.refusal {
      let failure = DataConnectFailure(refusal, status: nil, operation: call.operation, at: endpoint)
      if failure.code == .unauthenticated, !call.isRetried {
        calls[call.request]?.refusal = failure
        return outputs.append(.askToken(isRefused: true))
      }
      outputs.append(.fail(call.id, failure))
    } else if reply.isCancelled, reply.answer.data == nil, reply.answer.errors.isEmpty {
      outputs.append(.single(call.id))
    } else {
      outputs.append(.answer(call.id, reply.answer))
    }
    calls[call.request] = nil
    restIfUnused()
  }

  /// Asks once more for what was refused, where there is another token; else it fails.
  mutating func retryRefused(isNew: Bool) {
    for (key, subscription) in subscriptions {
      guard let refusal = subscription.refusal else { continue }
      guard isNew else {
        drop(key, refusal)
        continue
      }
      subscriptions[key]?.refusal = nil
      subscriptions[key]?.isRetried = true
      send(subscription.action, of: subscription.request)
    }
    for (request, call) in calls {
      guard let refusal = call.refusal else { continue }
      if isNew {
        calls[request]?.refusal = nil
        calls[request]?.isRetried = true
        send(.execute(call.operation), of: request)
      } else {
        calls[request] = nil
        outputs.append(.fail(call.id, refusal))
      }
    }
    restIfUnused()
  }

  /// Ends a subscription and notifies its followers.
  mutating func drop(_ key: String, _ failure: DataConnectFailure) {
    guard let subscription = remove(key) else { return }
    outputs.append(.finish(subscription.subscribers, failure))
    for id in subscription.waiting { outputs.append(.fail(id, failure)) }
    restIfUnused()
  }
}
