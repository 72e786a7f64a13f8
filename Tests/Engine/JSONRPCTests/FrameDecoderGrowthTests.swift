import JSON
import Testing

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The buffer of a frame decoder` {
  @Test(arguments: [Framing.lines, .contentLength])
  func `grows in few steps for a message of 1 MiB`(framing: Framing) throws {
    let body = [UInt8](repeating: UInt8(ascii: "1"), count: (1 << 20) - 2)
    let text = [UInt8(ascii: "[")] + body + [UInt8(ascii: "]")]
    let bytes = framing == .lines ? text + [0x0A] : Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    var decoder = FrameDecoder(framing: framing, limit: 4 << 20)
    var fed = 0
    var steps = 0
    var length: Int?
    while length == nil, fed < bytes.count, steps < 1000 {
      let room = unsafe decoder.prepare()
      let count = min(room.count, bytes.count - fed)
      unsafe room.copyBytes(from: bytes[fed..<(fed + count)])
      decoder.received(count)
      fed += count
      steps += 1
      if case .frame(let range) = try decoder.next() { length = range.count }
    }
    #expect(length == text.count)
    #expect(steps <= 3)
  }

  @Test(arguments: [100_000, 1 << 20, (1 << 20) + (64 << 10), 4 << 20])
  func `of a line without an end takes no more than the limit and what may stand around it`(limit: Int) throws {
    var decoder = FrameDecoder(framing: .lines, limit: limit)
    var capacities: [Int] = []
    #expect(throws: FramingError.tooLarge(limit: limit)) {
      while true {
        let room = unsafe decoder.prepare()
        unsafe room.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "["))
        decoder.received(room.count)
        if capacities.last != decoder.capacity { capacities.append(decoder.capacity) }
        guard case .incomplete = try decoder.next() else { throw FramingError.tooLarge(limit: 0) }
      }
    }
    let most = limit + FrameDecoder.headerLimit + 1
    let steps = [64 << 10, FrameDecoder.largeCapacity, 2 * FrameDecoder.largeCapacity, 4 * FrameDecoder.largeCapacity]
    let expected = Array(steps.prefix { $0 < most }) + [most]
    #expect(capacities == Array(expected.prefix(capacities.count)) && capacities.count >= expected.count - 1)
  }

  @Test func `stays small for lines of which each end of it cuts one`() throws {
    var decoder = FrameDecoder(framing: .lines, limit: 4 << 20)
    let lines = (0..<40).map { "[\(String(repeating: "\($0 % 10)", count: 20_000))]" }
    let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
    var (fed, read) = (0, [String]())
    while fed < bytes.count {
      let room = unsafe decoder.prepare()
      #expect(decoder.capacity == FrameDecoder.smallCapacity)
      let count = min(room.count, bytes.count - fed)
      unsafe room.copyBytes(from: bytes[fed..<(fed + count)])
      decoder.received(count)
      fed += count
      while case .frame(let range) = try decoder.next() {
        read.append(unsafe String(decoding: decoder.bytes(range), as: UTF8.self))
      }
    }
    #expect(read == lines && !decoder.isPartial)
  }

  @Test func `goes with a large frame that leaves, and what came behind it is read on, again and again`() throws {
    let ledger = PeerLedger()
    var decoder = FrameDecoder(framing: .lines, limit: 4 << 20)
    for round in 1...3 {
      let large = "[\(String(repeating: "\(round)", count: 100_000))]"
      let rest = Array("\(large)\n[\"next\"]\n".utf8)
      var fed = 0
      var detached: DetachedBytes?
      var next: String?
      while next == nil, fed <= rest.count {
        let room = unsafe decoder.prepare()
        let count = min(room.count, rest.count - fed)
        unsafe room.copyBytes(from: rest[fed..<(fed + count)])
        decoder.received(count)
        fed += count
        while case .frame(let range) = try decoder.next() {
          if detached == nil {
            let capacity = decoder.capacity
            detached = decoder.detach(range, on: ledger)
            #expect(ledger.held == capacity && capacity > 100_000)
          } else {
            next = unsafe String(decoding: decoder.bytes(range), as: UTF8.self)
          }
        }
        if fed == rest.count, count == 0 { break }
      }
      #expect(next == "[\"next\"]")
      #expect(decoder.capacity == 64 << 10 && !decoder.isPartial)
      let middle = detached?.withBytes(1..<4) { unsafe String(decoding: $0, as: UTF8.self) }
      #expect(middle == String(repeating: "\(round)", count: 3))
      detached = nil
      #expect(ledger.held == 0)
    }
  }
}
