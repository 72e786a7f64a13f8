import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A frame decoder` {
  enum Found: Equatable {
    case frame(String)
    case noise(Int, String)
    case failure(FramingError)
  }

  private static func block(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" }

  static let streams: [(Framing, String, [Found])] = [
    (.lines, "{}\n[1]\n", [.frame("{}"), .frame("[1]")]),
    (.lines, "{\"a\":1}\r\n\r\n\n  {} \t\n", [.frame("{\"a\":1}"), .frame("{}")]),
    (.lines, "hello\n{}\nWarning: x\n", [.noise(6, "hello\n"), .frame("{}"), .noise(11, "Warning: x\n")]),
    (.lines, "\u{FEFF}{}\n{}\n", [.noise(6, "\u{FEFF}{}\n"), .frame("{}")]),
    (.lines, "{}", []),
    (.contentLength, block("{}") + block("{\"ä\":1}"), [.frame("{}"), .frame("{\"ä\":1}")]),
    (.contentLength, "content-length:2\n\n{}", [.frame("{}")]),
    (.contentLength, "CONTENT-LENGTH :  2 \r\n\r\n{}", [.frame("{}")]),
    (
      .contentLength,
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\nX-Y: z\r\n\r\n{}",
      [.frame("{}")]
    ),
    (.contentLength, "Content-Length: 0\r\n\r\n" + block("{}"), [.frame(""), .frame("{}")]),
    (.contentLength, "Content-Length:          2\r\n\r\n{}", [.frame("{}")]),
    (.contentLength, "Content-Length: 0000000002\r\n\r\n{}", [.frame("{}")]),
    (.contentLength, "\r\n\n" + block("{}"), [.frame("{}")]),
    (.contentLength, "a noisy line\n" + block("{}"), [.noise(13, "a noisy line\n"), .frame("{}")]),
    (.contentLength, "debug" + block("{}"), [.noise(5, "debug"), .frame("{}")]),
    (.contentLength, "Key: value\n\n" + block("{}"), [.noise(12, "Key: value\n\n"), .frame("{}")]),
    (.contentLength, block("{}") + "oops\n" + block("[]"), [.frame("{}"), .noise(5, "oops\n"), .frame("[]")]),
    (.contentLength, "Content-Length: -1\r\n\r\n", [.failure(.badLength("-1"))]),
    (.contentLength, "Content-Length: +1\r\n\r\n", [.failure(.badLength("+1"))]),
    (.contentLength, "Content-Length: 0x10\r\n\r\n", [.failure(.badLength("0x10"))]),
    (.contentLength, "Content-Length: 1.5\r\n\r\n", [.failure(.badLength("1.5"))]),
    (.contentLength, "Content-Length: \r\n\r\n", [.failure(.badLength(""))]),
    (.contentLength, "Content-Length: 2 2\r\n\r\n", [.failure(.badLength("2 2"))]),
    (.contentLength, "Content-Length: \r\n\r\n{}", [.failure(.badLength(""))]),
    (.contentLength, "Content-Length:\t2\t\r\n\r\n{}", [.frame("{}")]),
    (
      .contentLength, "Content-Length: 1000\r\n\r\n" + String(repeating: " ", count: 998) + "{}",
      [
        .frame(String(repeating: " ", count: 998) + "{}")
      ]
    ),
    (.contentLength, "Content-Length: 1001\r\n\r\n", [.failure(.tooLarge(limit: 1000))]),
    // What is nearly the usual header is read with the same care.
    (.contentLength, "Content-Length: 2X\n\r\n{}", [.failure(.badLength("2X"))]),
    (.contentLength, "Content-Length: 2\rX\r\n{}", [.failure(.badLength("2\rX"))]),
    (.contentLength, "Content-Length: 2\r\nX\n\r\n{}", [.failure(.malformedHeader("X"))]),
    (.contentLength, "Content-Length: 2\r\n\rX\n\r\n{}", [.failure(.malformedHeader("\rX"))]),
    (.contentLength, "Content-Length: 2:\r\n\r\n{}", [.failure(.badLength("2:"))]),
    (.contentLength, "Content-Length: 2/\r\n\r\n{}", [.failure(.badLength("2/"))]),
    (.contentLength, "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", [.failure(.duplicateLength)]),
    (.contentLength, "Content-Length: 2\r\nwhat is this\r\n\r\n{}", [.failure(.malformedHeader("what is this"))]),
    (.contentLength, "Content-Length: 5000\r\n\r\n", [.failure(.tooLarge(limit: 1000))]),
    (.contentLength, "Content-Length: 99999999999999999999999999\r\n\r\n", [.failure(.tooLarge(limit: 1000))]),
    (.contentLength, "Content-Length:\r\n\r\n{}", [.failure(.badLength(""))]),
    // The name of a header has letters, digits and hyphens, and one at least.
    (.contentLength, "aZ-09: x\r\nContent-Length: 2\r\n\r\n{}", [.frame("{}")]),
    (.contentLength, ": x\n" + block("{}"), [.noise(4, ": x\n"), .frame("{}")]),
    (.contentLength, "a_b: x\n" + block("{}"), [.noise(7, "a_b: x\n"), .frame("{}")]),
    (.contentLength, "a/: x\n" + block("{}"), [.noise(6, "a/: x\n"), .frame("{}")]),
    (.contentLength, "a@: x\n" + block("{}"), [.noise(6, "a@: x\n"), .frame("{}")]),
    (.contentLength, "a[: x\n" + block("{}"), [.noise(6, "a[: x\n"), .frame("{}")]),
    (.contentLength, "Content-Length: 2\r\na_b: x\r\n\r\n{}", [.failure(.malformedHeader("a_b: x"))]),
  ]

  @Test(arguments: streams) func `finds the same pieces wherever the stream is cut`(
    framing: Framing, stream: String, expected: [Found]
  ) {
    let bytes = Array(stream.utf8)
    #expect(decode(framing, [bytes]) == expected)
    #expect(decode(framing, bytes.map { [$0] }) == expected)
    for cut in 0...bytes.count {
      #expect(decode(framing, [Array(bytes[..<cut]), Array(bytes[cut...])]) == expected)
    }
  }

  @Test(arguments: Framing.allCases) func `carries frames of every size around its buffer's`(framing: Framing) {
    var expected: [Found] = []
    var stream = ""
    for size in [1, 100, 65_000, 65_530, 65_536, 65_537, 131_072, 200_000, 5, 400_000, 1] {
      let body = "[" + String(repeating: "x", count: size) + "]"
      expected.append(.frame(body))
      stream += framing == .lines ? body + "\n" : Self.block(body)
    }
    let bytes = Array(stream.utf8)
    for step in [777, 65_536, bytes.count] {
      let chunks = stride(from: 0, to: bytes.count, by: step).map { Array(bytes[$0..<min($0 + step, bytes.count)]) }
      #expect(decode(framing, chunks, limit: 1 << 20) == expected)
    }
  }

  @Test func `gives its buffer back after a large frame, and never takes what is announced over the limit`() throws {
    var decoder = FrameDecoder(framing: .contentLength, limit: 1 << 20)
    feed(&decoder, Array(Self.block("[" + String(repeating: "x", count: 900_000) + "]").utf8))
    while case .frame = try decoder.next() { #expect(decoder.capacity > 900_000) }
    _ = decoder.prepare()
    #expect(decoder.capacity == 64 << 10)
    feed(&decoder, Array("Content-Length: 2000000\r\n\r\n".utf8))
    #expect(throws: FramingError.tooLarge(limit: 1 << 20)) { _ = try decoder.next() }
    #expect(decoder.capacity == 64 << 10)
  }

  @Test func `ends an unterminated line at the limit`() {
    let stream = [UInt8](repeating: 0x7B, count: 300_000)
    #expect(decode(.lines, [stream], limit: 100_000) == [.failure(.tooLarge(limit: 100_000))])
  }

  /// A line end belongs to no message, nor do the spaces around it.
  @Test func `takes a line of as many bytes as allowed, and none of one more`() {
    func line(_ count: Int) -> [UInt8] { [0x5B] + [UInt8](repeating: 0x31, count: count - 2) + [0x5D] }
    let most = Found.frame(String(decoding: line(100), as: UTF8.self))
    for cut in [1, 7, 1_000] {
      func chunks(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: cut).map { Array(bytes[$0..<min($0 + cut, bytes.count)]) }
      }
      #expect(decode(.lines, chunks(line(100) + [0x0A] + line(100) + [0x0A]), limit: 100) == [most, most])
      #expect(decode(.lines, chunks(line(100)), limit: 100) == [])
      #expect(decode(.lines, chunks(line(101)), limit: 100) == [.failure(.tooLarge(limit: 100))])
      let second = line(100) + [0x0A] + line(101) + [0x0A]
      #expect(decode(.lines, chunks(second), limit: 100) == [most, .failure(.tooLarge(limit: 100))])
    }
    #expect(decode(.lines, [[0x20, 0x09] + line(100) + [0x0D, 0x0A]], limit: 100) == [most])
  }

  @Test func `takes headers of 8 KiB, and none of one byte more`() {
    let start = "Content-Length: 2\r\nX: "
    let rest = String(repeating: "y", count: 8_192 - start.utf8.count)
    #expect(decode(.contentLength, [Array((start + rest).utf8)]) == [])
    #expect(decode(.contentLength, [Array((start + rest + "\r\n\r\n{}").utf8)]) == [.frame("{}")])
    let long = Array((start + rest + "y").utf8)
    #expect(decode(.contentLength, [long]) == [.failure(.headerTooLong(limit: 8_192))])
    // Without a length it is noise, but for what may be the beginning of a header.
    let noise = [UInt8](repeating: 0x2E, count: 8_192)
    #expect(decode(.contentLength, [noise]) == [])
    let shown = String(repeating: ".", count: 120)
    #expect(decode(.contentLength, [noise + [0x2E]]) == [.noise(8_161, shown)])
  }

  @Test func `drops endless noise piece by piece and finds the message after it`() {
    let noise = [UInt8](repeating: 0x2E, count: 100_000)
    let found = decode(.contentLength, [noise + Array(Self.block("{}").utf8)])
    #expect(found.last == .frame("{}"))
    let dropped = found.dropLast().reduce(0) { if case .noise(let count, _) = $1 { $0 + count } else { $0 } }
    #expect(dropped == 100_000)
  }

  @Test func `ends a header that does not end`() {
    let stream = "Content-Length: 2\r\n" + String(repeating: "X: y\r\n", count: 2000)
    #expect(decode(.contentLength, [Array(stream.utf8)]) == [.failure(.headerTooLong(limit: 8192))])
  }

  @Test func `shows the beginning of noise only`() {
    let found = decode(.lines, [Array((String(repeating: "n", count: 500) + "\n").utf8)])
    #expect(found == [.noise(501, String(repeating: "n", count: 120))])
  }

  /// Gives the decoder as much as it has room for.
  private func fill(_ decoder: inout FrameDecoder, from rest: inout ArraySlice<UInt8>) {
    let room = decoder.prepare()
    let count = min(room.count, rest.count)
    rest.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    decoder.received(count)
    rest = rest.dropFirst(count)
  }

  private func feed(_ decoder: inout FrameDecoder, _ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      fill(&decoder, from: &rest)
      if !rest.isEmpty, case .some(.frame) = try? decoder.next() { Issue.record("a frame came early") }
    }
  }

  private func decode(_ framing: Framing, _ chunks: [[UInt8]], limit: Int = 1000) -> [Found] {
    var decoder = FrameDecoder(framing: framing, limit: limit)
    var found: [Found] = []
    for chunk in chunks {
      var rest = chunk[...]
      while !rest.isEmpty {
        fill(&decoder, from: &rest)
        do {
          pieces: while true {
            switch try decoder.next() {
            case .incomplete: break pieces
            case .noise(let noise): found.append(.noise(noise.count, noise.beginning))
            case .frame(let range): found.append(.frame(String(decoding: decoder.bytes(range), as: UTF8.self)))
            }
          }
        } catch {
          return found + [.failure(error)]
        }
      }
    }
    return found
  }
}
