/// The ends of connections, and what they leave.
extension StreamMachine {
  /// - Parameter isFinal: whether another attempt is of no use: the server has no streams, or there is no token.
  mutating func closed(_ failure: DataConnectFailure, isFinal: Bool) {
    guard phase == .open || phase == .connecting else { return }
    outputs += [.clear(.idle), .clear(.token)]
    phase = .waiting
    attempts += 1
    failMutations()
    if isFinal {
      finish(failure) { _ in true }
    } else if attempts >= Self.patientAttempts {
      finish(failure) { $0.last == nil }
    }
    guard !subscriptions.isEmpty || !calls.isEmpty else { return rest() }
    outputs.append(.set(.reconnect, ReconnectDelay.after(attempt: attempts, random: random())))
  }

  /// Ends a connection on which the server breaks the rules.
  mutating func breakOff(_ failure: DataConnectFailure) {
    outputs.append(.disconnect)
    closed(failure, isFinal: false)
  }

  mutating func end(_ failure: DataConnectFailure) {
    for key in subscriptions.keys { drop(key, failure) }
    for call in calls.values { outputs.append(.fail(call.id, failure)) }
    calls = [:]
    if phase != .closed { rest() }
  }

  /// Fails the mutations that were sent. It is unknown whether the server executed them, so they are not sent again.
  private mutating func failMutations() {
    for (request, call) in calls where call.operation.kind == .mutation {
      calls[request] = nil
      let failure = DataConnectFailure(
        .unavailable, "Stream terminated before the server answered to the mutation \"\(call.operation.name)\".",
        recovery: "See whether it was executed, then try again.")
      outputs.append(.fail(call.id, failure))
    }
  }

  /// Ends some subscriptions and notifies their followers; waiting operations are sent as requests of their own.
  private mutating func finish(_ failure: DataConnectFailure, where isMeant: (Subscription) -> Bool) {
    for (key, subscription) in subscriptions where isMeant(subscription) {
      _ = remove(key)
      outputs.append(.finish(subscription.subscribers, failure))
      for id in subscription.waiting { outputs.append(.single(id)) }
    }
    guard subscriptions.isEmpty else { return }
    // A stream is for subscriptions.
    for call in calls.values where call.operation.kind == .query { outputs.append(.single(call.id)) }
    calls = calls.filter { $0.value.operation.kind != .query }
  }
}
