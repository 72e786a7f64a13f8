import JSON
import Text

/// Every stream of one connection, in both directions. Pure, but for the waiters: the connection holds the table under
/// a lock, resumes the waiters that it returns, and sends the messages that it returns.
struct StreamTable {
  struct Outgoing {
    var sender = StreamSender()
    var waiter: StreamWaiter?

    var weight: Int { JSONValue.bytesOfValue + (sender.end?.weight ?? 0) }
  }

  struct Incoming {
    var receiver: StreamReceiver
    var buffer = StreamBuffer()
    var waiter: StreamWaiter?

    var weight: Int { JSONValue.bytesOfValue + buffer.weight + (receiver.end?.weight ?? 0) }
  }

  /// What follows from a message of the peer.
  struct Outcome {
    var resumed: StreamWaiter?
    var reply: Reply?
    var event: WireEvent?
  }

  /// What the peer is to hear.
  enum Reply: Equatable {
    case grant(Int)
    case drop(ErrorObject)
  }

  /// Open streams of each direction.
  static let limit = 64
  private static let remembered = 256

  let window: Int
  private(set) var outgoing: [String: Outgoing] = [:]
  /// By the bytes of their names, which the peer has chosen.
  private(set) var incoming: [ExactText: Incoming] = [:]
  private(set) var closed: CloseReason?
  private var lastID = 0
  /// The streams of the peer that have ended on this side only. Late messages of these streams are no error.
  private var past: [ExactText] = []
  private var account: LedgerAccount

  init(window: Int, ledger: PeerLedger = PeerLedger()) {
    self.window = window
    account = LedgerAccount(ledger)
  }

  /// What waits for readers, and what streams ended with, on the ledger.
  private mutating func settle() {
    var held = 0
    for stream in incoming.values { held += stream.weight }
    for stream in outgoing.values { held += stream.weight }
    account.set(held)
  }

  var hasWaiters: Bool {
    outgoing.values.contains { $0.waiter != nil } || incoming.values.contains { $0.waiter != nil }
  }

  // MARK: Sending

  /// A new stream of this side.
  mutating func open() throws(ErrorObject) -> String {
    if let closed { throw closed.errorObject }
    guard outgoing.count < Self.limit else { throw .queueFull("\(outgoing.count) streams are open already.") }
    lastID += 1
    let id = "s\(lastID)"
    outgoing[id] = Outgoing()
    return id
  }

  mutating func take(_ id: String, atMost count: Int) -> StreamSender.Take {
    outgoing[id]?.sender.take(atMost: count) ?? .over(gone)
  }

  mutating func take(_ id: String, whole count: Int) -> StreamSender.Take {
    outgoing[id]?.sender.take(whole: count) ?? .over(gone)
  }

  /// Whether nothing can be sent on a stream any more.
  func isOver(_ id: String) -> Bool { outgoing[id].map { $0.sender.end != nil } ?? true }

  /// Ends a stream of this side.
  ///
  /// - Returns: whether the receiver must be notified.
  mutating func finish(_ id: String) -> Bool {
    defer { settle() }
    guard let stream = outgoing.removeValue(forKey: id) else { return false }
    return stream.sender.end == nil
  }

  // MARK: Receiving

  /// Claims a stream of the peer for a reader; the peer may open it later.
  ///
  /// - Returns: the credit to grant, in bytes.
  /// - Throws: -32009 when the stream is being read already or has ended.
  mutating func claim(_ id: String) throws(ErrorObject) -> Int {
    if let closed { throw closed.errorObject }
    if past.contains(ExactText(id)) { throw .streamUnknown("The stream \(id) is over.") }
    var stream = incoming[ExactText(id)] ?? Incoming(receiver: StreamReceiver(window: window))
    if stream.receiver.isClaimed { throw .streamUnknown("The stream \(id) is being read already.") }
    let credit = stream.receiver.claimed()
    incoming[ExactText(id)] = stream
    return credit
  }

  enum Next {
    case chunk(StreamChunk, grant: Int)
    case wait
    case over(StreamEnd)
  }

  /// What the reader gets.
  mutating func next(_ id: String) -> Next {
    defer { settle() }
    guard let taken = incoming[ExactText(id)]?.buffer.take() else {
      guard let stream = incoming[ExactText(id)] else { return .over(gone) }
      guard let end = stream.receiver.end else { return .wait }
      incoming[ExactText(id)] = nil
      return .over(end)
    }
    return .chunk(taken.chunk, grant: incoming[ExactText(id)]?.receiver.took(taken.cost) ?? 0)
  }

  /// Drops a stream of the peer.
  ///
  /// - Returns: whether the sender must be notified.
  mutating func drop(_ id: String) -> Bool {
    defer { settle() }
    guard let stream = incoming.removeValue(forKey: ExactText(id)) else { return false }
    guard stream.receiver.end == nil else { return false }
    remember(id)
    return true
  }

  // MARK: Waiting

  /// Stores a waiting task.
  ///
  /// - Returns: false when there is nothing to wait for, or when another task waits there already.
  mutating func wait(_ endpoint: StreamEndpoint, for bytes: Int, _ waiter: StreamWaiter) -> Bool {
    if endpoint.isOutgoing {
      guard let stream = outgoing[endpoint.id], stream.waiter == nil, stream.sender.end == nil,
        stream.sender.credit < bytes
      else { return false }
      outgoing[endpoint.id]?.waiter = waiter
    } else {
      guard let stream = incoming[ExactText(endpoint.id)], stream.waiter == nil, stream.receiver.end == nil,
        stream.buffer.isEmpty
      else { return false }
      incoming[ExactText(endpoint.id)]?.waiter = waiter
    }
    return true
  }

  mutating func takeWaiter(_ endpoint: StreamEndpoint) -> StreamWaiter? {
    endpoint.isOutgoing ? outgoing[endpoint.id]?.waiter.take() : incoming[ExactText(endpoint.id)]?.waiter.take()
  }

  /// Advances the coarse clock and returns the waiters whose time has passed.
  mutating func tick() -> [StreamWaiter] {
    var over: [StreamWaiter] = []
    for (id, stream) in outgoing { outgoing[id]?.waiter = Self.aged(stream.waiter, &over) }
    for (id, stream) in incoming where stream.waiter != nil {
      incoming[id]?.waiter = Self.aged(stream.waiter, &over)
    }
    return over
  }

  private static func aged(_ waiter: StreamWaiter?, _ over: inout [StreamWaiter]) -> StreamWaiter? {
    guard var waiter else { return nil }
    waiter.turnsLeft -= 1
    if waiter.turnsLeft > 0 { return waiter }
    over.append(waiter)
    return nil
  }

  // MARK: The end of the connection

  /// Ends every stream. What a reader has not taken yet it still gets.
  mutating func close(_ reason: CloseReason) -> [StreamWaiter] {
    guard closed == nil else { return [] }
    closed = reason
    defer { settle() }
    let end = StreamEnd.failed(reason.errorObject)
    var waiters = outgoing.values.compactMap(\.waiter)
    outgoing = [:]
    for id in incoming.keys {
      if let waiter = incoming[id]?.waiter.take() { waiters.append(waiter) }
      _ = incoming[id]?.receiver.stop(end)
    }
    return waiters
  }

  /// Why a stream is not in the table.
  private var gone: StreamEnd { closed.map { .failed($0.errorObject) } ?? .finished }

  // MARK: The peer's messages

  mutating func received(_ kind: StreamMessage.Kind, _ message: StreamMessage) -> Outcome {
    defer { settle() }
    return switch kind {
    case .open: opened(message.streamID)
    case .data: data(message)
    case .end: ended(message)
    case .ack: granted(message)
    case .drop: dropped(message)
    }
  }

  private mutating func opened(_ id: String) -> Outcome {
    if incoming[ExactText(id)]?.receiver.isOpen == true { return violation(id, "It was opened twice.") }
    guard incoming[ExactText(id)] != nil || incoming.count < Self.limit else {
      remember(id)
      return Outcome(reply: .drop(.queueFull("\(incoming.count) streams are open already.")))
    }
    past.removeAll { $0 == ExactText(id) }
    var stream = incoming[ExactText(id)] ?? Incoming(receiver: StreamReceiver(window: window))
    let credit = stream.receiver.opened()
    incoming[ExactText(id)] = stream
    return Outcome(reply: credit > 0 ? .grant(credit) : nil)
  }

  private mutating func data(_ message: StreamMessage) -> Outcome {
    let id = message.streamID
    guard let chunk = message.chunk else { return violation(id, "A message has neither data nor a value.") }
    guard message.cost > 0 else { return violation(id, "A message has no bytes.") }
    guard var stream = incoming[ExactText(id)] else { return unknown(id) }
    switch stream.receiver.received(message.cost, sequence: message.sequence) {
    case .ignored: return Outcome()
    case .violation(let why): return violation(id, why)
    case .accepted: break
    }
    incoming[ExactText(id)] = nil
    stream.buffer.append(chunk, cost: message.cost)
    let waiter = stream.waiter.take()
    incoming[ExactText(id)] = stream
    return Outcome(resumed: waiter)
  }

  private mutating func ended(_ message: StreamMessage) -> Outcome {
    guard incoming[ExactText(message.streamID)]?.receiver.isOpen == true else { return unknown(message.streamID) }
    _ = incoming[ExactText(message.streamID)]?.receiver.stop(message.error.map { .failed($0) } ?? .finished)
    return Outcome(resumed: incoming[ExactText(message.streamID)]?.waiter.take())
  }

  private mutating func granted(_ message: StreamMessage) -> Outcome {
    guard outgoing[message.streamID] != nil else { return Outcome(event: pastOutgoing(message.streamID)) }
    guard outgoing[message.streamID]?.sender.granted(message.credit) == true else {
      return Outcome(event: .streamViolation(message.streamID, why: "A credit of \(message.credit) is none."))
    }
    return Outcome(resumed: outgoing[message.streamID]?.waiter.take())
  }

  private mutating func dropped(_ message: StreamMessage) -> Outcome {
    guard outgoing[message.streamID] != nil else { return Outcome(event: pastOutgoing(message.streamID)) }
    _ = outgoing[message.streamID]?.sender.stop(.dropped(message.error))
    return Outcome(resumed: outgoing[message.streamID]?.waiter.take())
  }

  /// Credit and disinterest may cross the end of a stream; for one that never was they are a mistake.
  private func pastOutgoing(_ id: String) -> WireEvent? {
    if id.hasPrefix("s"), let number = Int(id.dropFirst()), (1...max(1, lastID)).contains(number), lastID > 0 {
      return nil
    }
    return .unknownStream(id)
  }

  /// Handles data of a stream that this side does not have. The sender is notified once.
  private mutating func unknown(_ id: String) -> Outcome {
    if past.contains(ExactText(id)) { return Outcome() }
    remember(id)
    return Outcome(reply: .drop(.streamUnknown("There is no stream \(id).")), event: .unknownStream(id))
  }

  private mutating func violation(_ id: String, _ why: String) -> Outcome {
    let error = ErrorObject.protocolViolation("The stream \(id) was dropped. \(why)")
    remember(id)
    let waiter = incoming[ExactText(id)]?.waiter.take()
    if incoming[ExactText(id)]?.receiver.isClaimed == true {
      _ = incoming[ExactText(id)]?.receiver.stop(.failed(error))
    } else {
      incoming[ExactText(id)] = nil
    }
    return Outcome(resumed: waiter, reply: .drop(error), event: .streamViolation(id, why: why))
  }

  private mutating func remember(_ id: String) {
    if past.contains(ExactText(id)) { return }
    if past.count >= Self.remembered { past.removeFirst(past.count / 2) }
    past.append(ExactText(id))
  }
}
