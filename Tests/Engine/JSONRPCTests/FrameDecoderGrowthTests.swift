import JSON
import JSONRPC
import Testing

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
    #expect(steps < 12)
  }
}
