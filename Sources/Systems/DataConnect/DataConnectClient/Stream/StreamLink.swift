/// The hub's state of a connection.
extension StreamHub {
  /// Numbers the connections of a link, so that the hub can ignore events of an older one.
  struct Connection {
    let number: UInt64
    let outbox: AsyncStream<String>.Continuation
    /// Closes the connection when it is finished.
    let end: AsyncStream<Never>.Continuation
  }

  /// A connection with the subscribers that share it.
  final class Link {
    var machine: StreamMachine
    /// The token of the latest subscriber, even after it has left.
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

    /// The token of a present subscriber, because one that has left may have signed out; otherwise the last one.
    var token: TokenSource { subscribers.values.first?.token ?? lastToken }
  }

  /// An answer that must be cached before the followers of its query receive it.
  struct Delivery {
    let answer: DataResponse
    let operation: DataOperation
    var sinks: [CacheSettings: [Observers.Sink]] = [:]
  }
}
