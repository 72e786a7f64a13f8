/// What the hub knows of a connection.
extension StreamHub {
  /// What comes of an older one counts no more.
  struct Connection {
    let number: UInt64
    let outbox: AsyncStream<String>.Continuation
    /// Ends it when it is finished.
    let end: AsyncStream<Never>.Continuation
  }

  /// One connection with those who use it.
  final class Link {
    var machine: StreamMachine
    /// Of who came last, though it may have gone.
    var lastToken: TokenSource
    var subscribers: [UInt64: Subscriber] = [:]
    var calls: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    /// The number of the one that counts.
    var timers: [StreamMachine.Timer: UInt64] = [:]
    var connection: Connection?

    init(_ machine: StreamMachine, token: @escaping TokenSource) {
      self.machine = machine
      lastToken = token
    }

    /// Of somebody who is there: who has gone may have signed out.
    var token: TokenSource { subscribers.values.first?.token ?? lastToken }
  }

  /// An answer that is to be kept before those get it who follow its query.
  struct Delivery {
    let answer: ServerAnswer
    let operation: DataOperation
    var sinks: [CacheUse: [Observers.Sink]] = [:]
  }
}
