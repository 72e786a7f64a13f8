import ExtensionProtocol
import JSON
import JSONRPC
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `What is kept of a line of an extension` {
  private static let most = 16 << 10

  @Test func `is 16 KiB of its message, cut at a character`() {
    let longest = String(repeating: "a", count: Self.most - 2) + "é"
    #expect(longest.utf8.count == Self.most && LogLimit.message(longest) == longest)
    for more in ["b", "é", "\u{301}"] {
      let kept = LogLimit.message(longest + more)
      #expect(kept == (more == "\u{301}" ? String(longest.dropLast()) : longest), "\(more.utf8.count)")
    }
    let odd = String(repeating: "a", count: Self.most - 1)
    #expect(LogLimit.message(odd + "é") == odd && LogLimit.message("") == "")
  }

  @Test func `has no secret, whether it was cut or not`() {
    let secret = "Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345"
    for text in [secret, secret + String(repeating: " x", count: Self.most)] {
      let kept = LogLimit.message(text)
      #expect(!kept.contains("abcdefghijklmnop") && kept.utf8.count <= Self.most + 100)
    }
    let fields = LogLimit.fields(["password": "hunter2-hunter2", "n": 1])
    #expect(fields["n"] == 1 && fields.values.allSatisfy { $0.stringValue?.contains("hunter2") != true })
  }

  @Test func `is 16 KiB of fields, or their size`() {
    // As JSON the text has quotes, its name and the braces: {"a":"…"}.
    let longest = String(repeating: "x", count: Self.most - 8)
    #expect(LogLimit.fields(["a": .string(longest)]) == ["a": .string(longest)])
    #expect(LogLimit.fields(["a": .string(longest + "x")]) == ["log.droppedBytes": .integer(Int64(Self.most + 1))])
    #expect(LogLimit.fields([:]) == [:])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What came over a wire that should not have` {
  @Test func `is told once of each kind, and counted`() {
    var tally = WireTally()
    #expect(tally.summary == nil)
    #expect(tally.add(.unknownCancellation(nil)) == "It sent cancellations of nothing.")
    #expect(tally.summary == "It sent cancellations of nothing.")
    for _ in 0..<2 { #expect(tally.add(.unknownCancellation(nil)) == nil) }
    #expect(tally.add(.unknownStream("first")) == "It sent data for streams that are not there: first.")
    #expect(tally.add(.unknownStream("second")) == nil)
    #expect(tally.add(.invalid("It has no method.")) == "It sent JSON that is not a message: It has no method.")
    #expect(
      tally.summary
        == "It sent JSON that is not a message: It has no method. It sent cancellations of nothing (3 times). "
        + "It sent data for streams that are not there (2 times): first.")
  }

  @Test func `is shown up to 400 bytes, and as text that a terminal can have`() {
    for (count, shown) in [(399, 399), (400, 400), (401, 400)] {
      var tally = WireTally()
      let sentence = tally.add(.unknownStream(String(repeating: "a", count: count)))
      #expect(sentence?.count { $0 == "a" } == shown + "data for streams that are not there".count { $0 == "a" })
    }
    var tally = WireTally()
    let sentence = tally.add(.unknownStream("a\u{1B}[31mb\nc"))
    #expect(sentence?.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }
}
