@testable import JSON
import Testing
import Text

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The table of streams` {
  private static let left = ErrorObject(code: 9, message: "Enough.")

  private func message(
    _ id: String, sequence: Int64 = 0, bytes: [UInt8]? = nil, credit: Int = 0, error: ErrorObject? = nil
  ) throws -> StreamMessage {
    let text = Array(JSONCoding.text(of: ["streamID": .string(id)]).utf8)
    var message = try text.withUnsafeBytes { try StreamMessage($0, maximumDepth: 4) }
    (message.sequence, message.credit, message.error) = (sequence, credit, error)
    if let bytes { (message.chunk, message.cost) = (.bytes(bytes), bytes.count) }
    return message
  }

  /// A task that waits, and what becomes of it.
  private func waiter(turns: Int) async -> (waiter: StreamWaiter, wake: Task<StreamWake, Never>) {
    let (waiters, made) = AsyncStream.makeStream(of: StreamWaiter.self)
    let wake = Task {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<StreamWake, Never>) in
        _ = made.yield(StreamWaiter(continuation, turnsLeft: turns))
      }
    }
    for await waiter in waiters { return (waiter, wake) }
    preconditionFailure("no task waits")
  }

  @Test func `tells the peer of the end of a stream once, and never of one that it dropped`() throws {
    var table = StreamTable(window: 8)
    let ids = [try table.open(), try table.open()]
    #expect(ids == ["s1", "s2"] && table.isOver("s3") && !table.isOver("s1"))
    #expect(table.finish("s1") && !table.finish("s1") && table.isOver("s1"))
    #expect(table.received(.drop, try message("s2", error: Self.left)).event == nil)
    #expect(table.isOver("s2") && table.take("s2", atMost: 1) == .over(.dropped(Self.left)))
    #expect(!table.finish("s2") && table.take("s2", whole: 1) == .over(.finished))
    #expect(try table.open() == "s3")
  }

  @Test func `knows the streams that it has had, and no others`() throws {
    var table = StreamTable(window: 8)
    for kind in [StreamMessage.Kind.ack, .drop] {
      #expect(table.received(kind, try message("s1", credit: 1)).event == .unknownStream("s1"))
    }
    for _ in 0..<2 { _ = table.finish(try table.open()) }
    for (id, isKnown) in [("s0", false), ("s1", true), ("s2", true), ("s3", false), ("s-1", false), ("s", false)] {
      for kind in [StreamMessage.Kind.ack, .drop] {
        let event = table.received(kind, try message(id, credit: 1)).event
        #expect(event == (isKnown ? nil : .unknownStream(id)), "\(id)")
      }
    }
    #expect(table.received(.ack, try message("1", credit: 1)).event == .unknownStream("1"))
  }

  @Test func `takes a credit that makes sense, and says which makes none`() throws {
    var table = StreamTable(window: 8)
    let id = try table.open()
    #expect(table.received(.ack, try message(id, credit: 5)).event == nil)
    let event = table.received(.ack, try message(id, credit: 0)).event
    #expect(event == .streamViolation(id, why: "A credit of 0 is none."))
    #expect(table.take(id, atMost: 9) == .send(count: 5, sequence: 1) && table.take(id, atMost: 9) == .wait)
  }

  @Test func `forgets who it has told off, half of 256 at a time`() throws {
    var table = StreamTable(window: 8)
    func isTold(_ number: Int) throws -> Bool {
      let outcome = table.received(.data, try message("x\(number)", sequence: 1, bytes: [1]))
      #expect((outcome.reply == nil) == (outcome.event == nil))
      return outcome.reply != nil
    }
    for number in 0..<256 { #expect(try isTold(number)) }
    for number in [0, 127, 128, 255] { #expect(try !isTold(number)) }
    #expect(try isTold(256))
    #expect(try !isTold(128) && !isTold(255) && !isTold(256))
    #expect(try isTold(0) && isTold(127) && !isTold(0))
  }

  @Test func `lets a stream that was dropped be opened anew, and read`() throws {
    var table = StreamTable(window: 8)
    for _ in 0..<2 {
      #expect(table.received(.open, try message("n")).reply == nil)
      #expect(try table.claim("n") == 8)
      #expect(table.received(.data, try message("n", sequence: 1, bytes: [1, 2])).event == nil)
      #expect(table.drop("n") && !table.drop("n"))
      // What was on its way is no mistake.
      #expect(table.received(.data, try message("n", sequence: 2, bytes: [3])).event == nil)
      #expect(table.received(.end, try message("n")).event == nil)
      #expect(throws: ErrorObject.streamUnknown("The stream n is over.")) { try table.claim("n") }
    }
  }

  @Test func `tells two spellings of an accent apart, open and dropped`() throws {
    var table = StreamTable(window: 8)
    let (one, other) = ("\u{E9}", "e\u{301}")
    for id in [one, other] {
      #expect(table.received(.open, try message(id)).event == nil)
      #expect(try table.claim(id) == 8)
    }
    #expect(table.received(.data, try message(other, sequence: 1, bytes: [2])).event == nil)
    guard case .wait = table.next(one), case .chunk(.bytes([2]), grant: 0) = table.next(other) else {
      Issue.record("the bytes came to another stream")
      return
    }
    #expect(table.drop(one) && table.incoming.count == 1)
    // What is late of the one is no mistake, and the other goes on.
    #expect(table.received(.data, try message(one, sequence: 1, bytes: [1])).event == nil)
    #expect(table.received(.end, try message(other)).event == nil)
    guard case .over(.finished) = table.next(other) else {
      Issue.record("it ended otherwise")
      return
    }
    #expect(table.received(.data, try message(other, sequence: 2, bytes: [1])).event == .unknownStream(other))
  }

  @Test func `notifies no sender of the drop of a stream that has ended`() throws {
    var table = StreamTable(window: 8)
    _ = table.received(.open, try message("n"))
    _ = table.received(.end, try message("n"))
    #expect(table.drop("n") == false)
    // Nothing is late then: the sender has said that all was sent.
    #expect(table.received(.data, try message("n", sequence: 1, bytes: [1])).event == .unknownStream("n"))
  }

  @Test func `opens what a reader waits for, however many are open`() throws {
    var table = StreamTable(window: 8)
    for number in 0..<StreamTable.limit { #expect(try table.claim("n\(number)") == 0) }
    let full = ErrorObject.queueFull("64 streams are open already.")
    #expect(table.received(.open, try message("other")).reply == .drop(full))
    // It was told, and is not told again.
    #expect(table.received(.data, try message("other", sequence: 1, bytes: [1])).reply == nil)
    #expect(table.received(.open, try message("n63")).reply == .grant(8))
    #expect(table.drop("n0") == true)
    #expect(table.received(.open, try message("other")).reply == nil)
  }

  static let violations: [(StreamMessage.Kind, Int64, Int, String)] = [
    (.open, 0, 0, "It was opened twice."), (.data, 2, 1, "Message 2 came where 1 was due."),
    (.data, 1, 9, "9 bytes came with 8 bytes of credit left."), (.data, 1, 0, "A message has no bytes."),
  ]

  @Test(arguments: violations) func `drops a stream whose sender breaks a rule, and its reader gets what came before`(
    kind: StreamMessage.Kind, sequence: Int64, count: Int, why: String
  ) throws {
    for isClaimed in [true, false] {
      var table = StreamTable(window: 8)
      _ = table.received(.open, try message("n"))
      if isClaimed { _ = try table.claim("n") }
      let bytes = [UInt8](repeating: 1, count: count)
      let outcome = table.received(kind, try message("n", sequence: sequence, bytes: kind == .data ? bytes : nil))
      let said = !isClaimed && count == 9 ? "9 bytes came with 0 bytes of credit left." : why
      let error = ErrorObject.protocolViolation("The stream n was dropped. \(said)")
      #expect(outcome.reply == .drop(error) && outcome.event == .streamViolation("n", why: said))
      #expect((table.incoming["n"] == nil) == !isClaimed)
      guard case .over(let end) = table.next("n") else {
        Issue.record("the stream goes on")
        return
      }
      #expect(end == (isClaimed ? .failed(error) : .finished))
      // The first end counts, and what was on its way is no further mistake.
      #expect(table.received(.data, try message("n", sequence: 1, bytes: [1])).event == nil)
    }
  }

  @Test func `gives what came before an end, then the end once, and then nothing`() throws {
    var table = StreamTable(window: 8)
    #expect(try table.claim("n") == 0)
    #expect(
      table.received(.data, try message("m", sequence: 1, bytes: [1])).event == .unknownStream("m"), "no such stream")
    #expect(table.received(.open, try message("n")).reply == .grant(8))
    _ = table.received(.data, try message("n", sequence: 1, bytes: [1, 2, 3, 4]))
    _ = table.received(.end, try message("n", error: Self.left))
    _ = table.received(.end, try message("n"))
    guard case .chunk(.bytes([1, 2, 3, 4]), grant: 0) = table.next("n"),
      case .over(.failed(Self.left)) = table.next("n"),
      case .over(.finished) = table.next("n")
    else {
      Issue.record("it ended otherwise")
      return
    }
  }

  @Test func `keeps nothing of a stream that was dropped, has been ended or ends with the connection`() throws {
    let ledger = PeerLedger()
    var table = StreamTable(window: 1 << 20, ledger: ledger)
    let long = ErrorObject(code: 1, message: String(repeating: "x", count: 1 << 20))
    for _ in 0..<2 {
      _ = table.received(.open, try message("n"))
      _ = try table.claim("n")
      _ = table.received(.data, try message("n", sequence: 1, bytes: [UInt8](repeating: 1, count: 1 << 20)))
      #expect(ledger.held > 1 << 20)
      #expect(table.drop("n") && ledger.held <= LedgerAccount.reserve)
      let id = try table.open()
      _ = table.received(.drop, try message(id, error: long))
      #expect(ledger.held > 1 << 20)
      #expect(!table.finish(id) && ledger.held <= LedgerAccount.reserve)
    }
    _ = table.received(.drop, try message(try table.open(), error: long))
    #expect(ledger.held > 1 << 20)
    #expect(table.close(.finished).isEmpty && ledger.held <= LedgerAccount.reserve)
  }

  // MARK: Waiting

  @Test func `wakes its reader when the sender breaks a rule`() async throws {
    var table = StreamTable(window: 8)
    _ = table.received(.open, try message("n"))
    _ = try table.claim("n")
    let (waiter, wake) = await waiter(turns: 3)
    #expect(table.wait(.init(id: "n", isOutgoing: false), for: 1, waiter) == true)
    let outcome = table.received(.data, try message("n", sequence: 7, bytes: [1]))
    #expect(outcome.resumed != nil && !table.hasWaiters)
    waiter.resume(.changed)
    _ = await wake.value
  }

  @Test func `stores one task at each end, and only where there is something to wait for`() async throws {
    var table = StreamTable(window: 8)
    let id = try table.open()
    let (out, into) = (StreamEndpoint(id: id, isOutgoing: true), StreamEndpoint(id: "n", isOutgoing: false))
    let (waiter, wake) = await waiter(turns: 3)
    #expect(!table.wait(into, for: 1, waiter) && !table.wait(.init(id: "s9", isOutgoing: true), for: 1, waiter))
    _ = table.received(.ack, try message(id, credit: 5))
    #expect(!table.wait(out, for: 5, waiter) && !table.hasWaiters)
    #expect(table.wait(out, for: 6, waiter) && table.hasWaiters)
    #expect(table.wait(out, for: 6, waiter) == false, "another waits already")
    #expect(table.received(.ack, try message(id, credit: 1)).resumed != nil && !table.hasWaiters)
    _ = table.received(.drop, try message(id))
    #expect(table.wait(out, for: 9, waiter) == false)
    _ = try table.claim("n")
    #expect(table.wait(into, for: 1, waiter) && !table.wait(into, for: 1, waiter) && table.hasWaiters)
    #expect(table.takeWaiter(out) == nil && table.takeWaiter(into) != nil && table.takeWaiter(into) == nil)
    _ = table.received(.open, try message("n"))
    #expect(table.wait(into, for: 1, waiter) == true)
    #expect(table.received(.data, try message("n", sequence: 1, bytes: [1])).resumed != nil)
    #expect(table.wait(into, for: 1, waiter) == false, "bytes are there")
    _ = table.next("n")
    #expect(table.wait(into, for: 1, waiter) == true)
    #expect(table.received(.end, try message("n")).resumed != nil)
    #expect(!table.wait(into, for: 1, waiter) && !table.hasWaiters)
    waiter.resume(.changed)
    _ = await wake.value
  }

  @Test func `lets those go whose turns are over, at either end, and no others`() async throws {
    var table = StreamTable(window: 8)
    let id = try table.open()
    _ = try table.claim("n")
    let (short, first) = await waiter(turns: 2)
    let (long, second) = await waiter(turns: 3)
    #expect(table.wait(.init(id: id, isOutgoing: true), for: 1, short) == true)
    #expect(table.wait(.init(id: "n", isOutgoing: false), for: 1, long) == true)
    #expect(table.tick().isEmpty && table.hasWaiters)
    let over = table.tick()
    #expect(over.count == 1 && table.hasWaiters && table.takeWaiter(.init(id: id, isOutgoing: true)) == nil)
    for waiter in over { waiter.resume(.timedOut) }
    #expect(await first.value == .timedOut)
    let rest = table.tick()
    #expect(rest.count == 1 && !table.hasWaiters && table.tick().isEmpty)
    for waiter in rest { waiter.resume(.timedOut) }
    #expect(await second.value == .timedOut)
  }

  @Test func `ends every stream with the connection, and gives what was not read`() async throws {
    let ledger = PeerLedger()
    var table = StreamTable(window: 1 << 20, ledger: ledger)
    let id = try table.open()
    _ = table.received(.open, try message("n"))
    _ = try table.claim("n")
    _ = table.received(.data, try message("n", sequence: 1, bytes: [UInt8](repeating: 1, count: 500_000)))
    #expect(ledger.held >= 500_000)
    _ = try table.claim("m")
    let (one, first) = await waiter(turns: 2)
    let (other, second) = await waiter(turns: 2)
    #expect(table.wait(.init(id: id, isOutgoing: true), for: 1, one) == true)
    #expect(table.wait(.init(id: "m", isOutgoing: false), for: 1, other) == true)
    let waiters = table.close(.cancelled)
    #expect(waiters.count == 2 && !table.hasWaiters && table.close(.finished).isEmpty && table.closed == .cancelled)
    for waiter in waiters { waiter.resume(.changed) }
    #expect(await first.value == .changed)
    #expect(await second.value == .changed)
    let error = CloseReason.cancelled.errorObject
    #expect(table.take(id, atMost: 1) == .over(.failed(error)) && table.isOver(id) && !table.finish(id))
    #expect(throws: error) { try table.open() }
    #expect(throws: error) { try table.claim("x") }
    guard case .chunk(.bytes, grant: 0) = table.next("n"), case .over(.failed(error)) = table.next("n"),
      case .over(.failed(error)) = table.next("n"), case .over(.failed(error)) = table.next("m")
    else {
      Issue.record("it ended otherwise")
      return
    }
    #expect(ledger.held <= LedgerAccount.reserve)
  }
}
