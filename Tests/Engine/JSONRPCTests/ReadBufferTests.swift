import EventLoop
import Testing

@testable import JSONRPC

/// The memory into which a connection reads, which it has only while it needs it.
@Suite(.timeLimit(.minutes(1))) struct `The read buffer` {
  private static let size = EventLoop.spareSize

  private func feed(_ decoder: inout FrameDecoder, _ text: String) {
    let bytes = Array(text.utf8)
    var fed = 0
    while fed < bytes.count {
      let free = unsafe decoder.prepare()
      let count = min(free.count, bytes.count - fed)
      unsafe free.copyBytes(from: bytes[fed..<(fed + count)])
      decoder.received(count)
      fed += count
    }
  }

  private func frame(_ decoder: inout FrameDecoder) throws -> String? {
    guard case .frame(let range) = try decoder.next() else { return nil }
    return unsafe String(decoding: decoder.bytes(range), as: UTF8.self)
  }

  /// Whether the decoder gave its buffer away for another one.
  private func gives(_ decoder: inout FrameDecoder) -> Bool {
    guard let memory = unsafe decoder.putAway() else { return false }
    unsafe memory.deallocate()
    return true
  }

  @Test(arguments: [Framing.lines, .contentLength])
  func `is given away between messages and in no message, again and again`(framing: Framing) throws {
    var decoder = FrameDecoder(framing: framing, limit: 1 << 20)
    // There is none before the first message.
    #expect(decoder.capacity == 0 && !gives(&decoder))
    let message = framing == .lines ? "[1]\n" : "Content-Length: 3\r\n\r\n[1]"
    for round in 1...3 {
      for cut in 1..<message.count {
        feed(&decoder, String(message.prefix(cut)))
        #expect(try frame(&decoder) == nil)
        #expect(!gives(&decoder) && decoder.capacity == Self.size, "cut at \(cut) in round \(round)")
        feed(&decoder, String(message.dropFirst(cut)))
        #expect(try frame(&decoder) == "[1]")
        #expect(try frame(&decoder) == nil)
        #expect(gives(&decoder) && decoder.capacity == 0)
        // Nothing is left to give.
        #expect(!gives(&decoder) && !decoder.isPartial)
      }
    }
  }

  @Test func `is not given away while one of two messages waits`() throws {
    var decoder = FrameDecoder(framing: .lines, limit: 1 << 20)
    feed(&decoder, "[1]\n[2]\n")
    #expect(try frame(&decoder) == "[1]")
    #expect(gives(&decoder) == false)
    #expect(try frame(&decoder) == "[2]")
    #expect(gives(&decoder) == true)
  }

  @Test func `of a large message is freed, as no other one has its size`() throws {
    var decoder = FrameDecoder(framing: .lines, limit: 1 << 20)
    for _ in 0..<2 {
      let text = "[\(String(repeating: "1", count: 200_000))]"
      feed(&decoder, text + "\n")
      #expect(try frame(&decoder) == text)
      #expect(decoder.capacity > Self.size)
      #expect(!gives(&decoder) && decoder.capacity == 0)
      feed(&decoder, "[1]\n")
      #expect(try frame(&decoder) == "[1]")
      #expect(decoder.capacity == Self.size)
    }
  }

  @Test func `is taken over from a decoder that has given it`() throws {
    var first = FrameDecoder(framing: .lines, limit: 1 << 20)
    var second = FrameDecoder(framing: .lines, limit: 1 << 20)
    feed(&first, "[\"the first\"]\n")
    #expect(try frame(&first) == "[\"the first\"]")
    let memory = try #require(unsafe first.putAway())
    unsafe second.adopt(memory)
    #expect(second.capacity == Self.size && !second.isPartial)
    // Nothing of what it held is read.
    #expect(try frame(&second) == nil)
    feed(&second, "[2]")
    #expect(try frame(&second) == nil)
    feed(&second, "\n")
    #expect(try frame(&second) == "[2]")
  }

  @Test func `is none of a connection that waits, however often it has read`() async throws {
    try await RawPeer.with { peer in
      let connection = peer.connection
      for id in 1...3 {
        try #require(await peer.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"number","params":[4]}"# + "\n"))
        #expect(await peer.line()?.contains("\"result\":4") == true)
        #expect(await connection.bufferSize == 0)
      }
      try #require(await peer.send(#"{"jsonrpc":"2.0","id":9,"#))
      while await connection.bufferSize == 0 { await Task.yield() }
      try #require(await peer.send(#""method":"number","params":[5]}"# + "\n"))
      #expect(await peer.line()?.contains("\"result\":5") == true)
      #expect(await connection.bufferSize == 0)
    }
  }
}

extension Connection {
  fileprivate var bufferSize: Int { decoder.capacity }
}
