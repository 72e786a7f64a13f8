import CommandLineTool
import TestSupport
import Testing

@testable import HostCLI

/// What a program in the sandbox writes to a terminal.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a program on a terminal` {
  private static func shown(_ pieces: [[UInt8]]) -> String {
    var text = TerminalText()
    var all: [UInt8] = []
    for piece in pieces { all += text.take(piece) }
    return String(decoding: all + text.finish(), as: UTF8.self)
  }

  private static let texts: [(text: String, shown: String)] = [
    ("", ""), ("one\n\ttwo\n", "one\n\ttwo\n"), ("aé€😀z", "aé€😀z"), ("😀é", "😀é"), ("1\r2", "1\\r2"),
    ("\u{1B}[2J\u{7}", "\\u{1b}[2J\\u{7}"), ("a\u{9B}31mb", "a\\u{9b}31mb"), ("x\u{202E}y", "x\\u{202e}y"),
  ]

  @Test(arguments: texts) func `has its control characters written out, wherever it is cut`(
    text: String, shown: String
  ) {
    let bytes = Array(text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
        #expect(Self.shown(pieces) == shown, "\(first) \(second)")
      }
    }
    #expect(Self.shown(bytes.map { [$0] }) == shown)
  }

  @Test func `waits for the rest of a character only`() {
    var text = TerminalText()
    #expect(text.take([0x61, 0xC3]) == [0x61])
    #expect(text.take([]) == [])
    #expect(text.take([0xA9, 0x62]) == Array("éb".utf8))
    #expect(text.take([0xF0, 0x9F, 0x98]) == [])
    #expect(text.take([0x80, 0xE2, 0x82]) == Array("😀".utf8))
    #expect(text.take([0xAC]) == Array("€".utf8))
    #expect(text.finish() == [])
  }

  @Test func `marks at its end what was never finished, and starts anew`() {
    var text = TerminalText()
    #expect(text.take([0x61, 0xE2, 0x82]) == [0x61])
    #expect(text.finish() == Array("\u{FFFD}".utf8))
    #expect(text.finish() == [])
    #expect(text.take([0x62]) == [0x62])
  }

  @Test func `is not held up by bytes that begin no character`() {
    var text = TerminalText()
    #expect(text.take([0x61, 0x80, 0x80, 0x80]) == Array("a\u{FFFD}\u{FFFD}\u{FFFD}".utf8))
    #expect(text.take([0x80]) == Array("\u{FFFD}".utf8))
    // A beginning that something else follows.
    #expect(text.take([0xC3, 0x0A]) == Array("\u{FFFD}\n".utf8))
    #expect(text.finish() == [])
  }

  @Test func `is the same whatever the bytes are and wherever they are cut`() {
    let alphabet: [UInt8] = [0x0A, 0x1B, 0x61, 0x80, 0x98, 0x9F, 0xA9, 0xC3, 0xE2, 0x82, 0xF0, 0xFF]
    for seed in 0..<300 as Range<UInt64> {
      var chance = RandomSteps.Chance(seed)
      let pieces = (0..<chance.number(1...6)).map { _ in
        (0..<chance.number(0...5)).map { _ in chance.one(of: alphabet) }
      }
      let whole = String(decoding: pieces.flatMap(\.self), as: UTF8.self).escapedForTerminalKeepingLines
      #expect(Self.shown(pieces) == whole, "\(seed): \(pieces)")
    }
  }
}
