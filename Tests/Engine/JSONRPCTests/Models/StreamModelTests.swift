import TestSupport
import Testing
import Text

@testable import JSON
@testable import JSONRPC

extension StreamMessage {
  fileprivate init(_ id: String) throws {
    let text = Array(JSONCoding.text(of: ["streamID": .string(id)]).utf8)
    self = try text.withUnsafeBytes { try StreamMessage($0, maximumDepth: 4) }
  }
}

/// The tables of two sides, and what is on its way between them.
private struct TwoSides {
  static let window = 8
  typealias Wire = (kind: StreamMessage.Kind, message: StreamMessage)

  let blank: StreamMessage
  let ledgers = [PeerLedger(), PeerLedger()]
  var tables: [StreamTable]
  /// Messages to each side, in order.
  var wires: [[Wire]] = [[], []]
  /// What each side has sent on each of its streams, and what the other has read of them.
  var sent: [[String: Int]] = [[:], [:]]
  var read: [[String: Int]] = [[:], [:]]

  init() throws {
    blank = try StreamMessage("x")
    tables = ledgers.map { StreamTable(window: Self.window, ledger: $0) }
  }

  private func message(_ id: String) -> StreamMessage {
    var message = blank
    message.streamID = id
    return message
  }

  private mutating func post(_ kind: StreamMessage.Kind, from side: Int, _ message: StreamMessage) {
    wires[1 - side].append((kind, message))
  }

  private mutating func grant(_ credit: Int, of id: String, from side: Int) {
    guard credit > 0 else { return }
    var ack = message(id)
    ack.credit = credit
    post(.ack, from: side, ack)
  }

  /// - Returns: what is wrong.
  mutating func step(_ number: UInt64) -> String? {
    var chance = RandomSteps.Chance(number)
    let side = chance.number(0...1)
    let own = tables[side].outgoing.keys.sorted()
    let others = tables[1 - side].outgoing.keys.sorted() + tables[side].incoming.keys.map(\.text).sorted()
    switch chance.number(0...9) {
    case 0:
      if let id = try? tables[side].open() { post(.open, from: side, message(id)) }
    case 1, 2, 3:
      guard !own.isEmpty else { return nil }
      send(chance.one(of: own), chance.number(1...5), from: side)
    case 4:
      guard !own.isEmpty else { return nil }
      let id = chance.one(of: own)
      if tables[side].finish(id) { post(.end, from: side, message(id)) }
    case 5:
      guard !others.isEmpty else { return nil }
      let id = chance.one(of: others)
      if let credit = try? tables[side].claim(id) { grant(credit, of: id, from: side) }
    case 6, 7:
      guard !others.isEmpty else { return nil }
      read(chance.one(of: others), at: side)
    case 8 where chance.happens(in: 3):
      guard !others.isEmpty else { return nil }
      let id = chance.one(of: others)
      if tables[side].drop(id) { post(.drop, from: side, message(id)) }
    default: return deliver(to: side)
    }
    return nil
  }

  private mutating func send(_ id: String, _ wanted: Int, from side: Int) {
    guard case .send(let count, let sequence) = tables[side].take(id, atMost: wanted) else { return }
    var data = message(id)
    (data.sequence, data.cost) = (sequence, count)
    data.chunk = .bytes([UInt8](repeating: 1, count: count))
    sent[side][id, default: 0] += count
    post(.data, from: side, data)
  }

  private mutating func read(_ id: String, at side: Int) {
    guard case .chunk(.bytes(let bytes), let credit) = tables[side].next(id) else { return }
    read[side][id, default: 0] += bytes.count
    grant(credit, of: id, from: side)
  }

  mutating func deliver(to side: Int) -> String? {
    guard !wires[side].isEmpty else { return nil }
    let (kind, message) = wires[side].removeFirst()
    let outcome = tables[side].received(kind, message)
    switch outcome.reply {
    case .grant(let credit): grant(credit, of: message.streamID, from: side)
    case .drop(let error):
      var drop = message
      drop.error = error
      post(.drop, from: side, drop)
    case nil: break
    }
    return outcome.event.map { "\(kind) of \(message.streamID): \($0)" }
  }

  /// What no order of events may lead to.
  var difference: String? {
    for side in 0...1 {
      for (id, count) in read[side] where count > sent[1 - side][id] ?? 0 { return "more is read than sent of \(id)" }
      for (id, stream) in tables[side].incoming where stream.buffer.weight > Self.window {
        return "\(stream.buffer.weight) bytes wait of \(id)"
      }
    }
    return nil
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Streams among random events` {
  @Test func `of two honest sides are never at fault, and hold no more than their window`() async throws {
    let failure = try await RandomSteps.failure(seeds: 1...1_500, steps: 120) { steps in
      var sides = try TwoSides()
      for step in steps { if let wrong = sides.step(step) ?? sides.difference { return wrong } }
      // What is on its way arrives; what has ended and was read is gone.
      for _ in 0..<1_000 {
        if let wrong = sides.deliver(to: 0) ?? sides.deliver(to: 1) { return wrong }
      }
      for side in 0...1 {
        for id in sides.tables[side].outgoing.keys { _ = sides.tables[side].finish(id) }
        for id in sides.tables[side].incoming.keys { _ = sides.tables[side].drop(id.text) }
        _ = sides.tables[side].close(.finished)
        if sides.ledgers[side].held > LedgerAccount.reserve { return "the ledger holds \(sides.ledgers[side].held)" }
      }
      return nil
    }
    #expect(failure == nil)
  }

  @Test func `of a peer that sends anything are bounded`() async throws {
    let blank = try StreamMessage("x")
    let failure = await RandomSteps.failure(seeds: 1...300, steps: 200) { steps in
      var table = StreamTable(window: 8)
      for step in steps {
        var chance = RandomSteps.Chance(step)
        var message = blank
        message.streamID = chance.one(of: ["a", "b", "s1", "s2", "s", "s-1", "é"])
        message.sequence = Int64(chance.number(-1...3))
        message.credit = chance.one(of: [Int.min, -1, 0, 1, 9, .max])
        message.cost = chance.number(0...9)
        if chance.happens(in: 2) { message.chunk = .bytes([UInt8](repeating: 1, count: message.cost)) }
        switch chance.number(0...8) {
        case 0: _ = try? table.open()
        case 1: _ = try? table.claim(message.streamID)
        case 2: _ = table.next(message.streamID)
        case 3: _ = table.drop(message.streamID)
        default: _ = table.received(chance.one(of: [.open, .data, .ack, .end, .drop]), message)
        }
        for (id, stream) in table.incoming where stream.buffer.weight > 8 || stream.receiver.outstanding > 8 {
          return "\(id) holds \(stream.buffer.weight) bytes"
        }
        if table.outgoing.values.contains(where: { $0.sender.credit > StreamSender.maximumCredit }) { return "credit" }
      }
      return nil
    }
    #expect(failure == nil)
  }

  @Test func `are forgotten when their end was read, however many there have been`() throws {
    var table = StreamTable(window: 8)
    for round in 1...3 {
      for number in 0..<StreamTable.limit {
        var message = try StreamMessage("n\(number)")
        #expect(table.received(.open, message).reply == nil, "round \(round)")
        #expect(try table.claim(message.streamID) == 8)
        message.sequence = 1
        message.cost = 3
        message.chunk = .bytes([1, 2, 3])
        #expect(table.received(.data, message).event == nil)
        #expect(table.received(.end, message).event == nil)
      }
      #expect(table.incoming.count == StreamTable.limit)
      #expect(table.received(.open, try StreamMessage("more")).reply != nil)
      for number in 0..<StreamTable.limit {
        let id = "n\(number)"
        guard case .chunk(.bytes([1, 2, 3]), grant: 0) = table.next(id), case .over(.finished) = table.next(id) else {
          Issue.record("\(id) ended otherwise in round \(round)")
          return
        }
      }
      #expect(table.incoming.isEmpty)
    }
  }
}
