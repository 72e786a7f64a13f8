import JSON
import Testing

@testable import JSONRPC

/// Where one line ends and the next begins, however the bytes come.
@Suite(.timeLimit(.minutes(1))) struct `The lines of a frame decoder` {
  private enum Found: Equatable {
    case frame(String)
    case noise(Int, String)
  }

  private func feed(_ decoder: inout FrameDecoder, _ bytes: some Collection<UInt8>) {
    let room = unsafe decoder.prepare()
    unsafe room.copyBytes(from: bytes)
    decoder.received(bytes.count)
  }

  private func pieces(_ decoder: inout FrameDecoder) throws -> [Found] {
    var found: [Found] = []
    while true {
      switch try decoder.next() {
      case .incomplete: return found
      case .noise(let noise): found.append(.noise(noise.count, noise.beginning))
      case .frame(let range): found.append(.frame(unsafe String(decoding: decoder.bytes(range), as: UTF8.self)))
      }
    }
  }

  private static let streams: [(String, [Found])] = [
    // An empty first line belongs to nothing.
    ("\nhello\n{}\n", [.noise(6, "hello\n"), .frame("{}")]),
    // After an empty line, a message and noise the search begins anew.
    ("  \na\n{}\n", [.noise(2, "a\n"), .frame("{}")]), ("{}\nb\n[]\n", [.frame("{}"), .noise(2, "b\n"), .frame("[]")]),
    ("noise\nb\n[]\n", [.noise(6, "noise\n"), .noise(2, "b\n"), .frame("[]")]),
  ]

  @Test(arguments: streams.indices) func `end where their line feed is, wherever the stream is cut`(index: Int) throws {
    let (stream, expected) = Self.streams[index]
    let bytes = Array(stream.utf8)
    for cut in 0...bytes.count {
      var decoder = FrameDecoder(framing: .lines, limit: 1000)
      feed(&decoder, bytes[..<cut])
      var found = try pieces(&decoder)
      feed(&decoder, bytes[cut...])
      found += try pieces(&decoder)
      #expect(found == expected, "cut at \(cut)")
    }
  }

  @Test func `are no beginning of a message when they are empty`() throws {
    var decoder = FrameDecoder(framing: .lines, limit: 1000)
    for _ in 0..<2 {
      for (bytes, expected, isPartial) in [("\n", [], false), ("{", [], true), ("}\n", [Found.frame("{}")], false)] {
        feed(&decoder, Array(bytes.utf8))
        let (found, hasBegun) = (try pieces(&decoder), decoder.isPartial)
        #expect(found == expected && hasBegun == isPartial, "\(bytes.debugDescription)")
      }
    }
  }
}
