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

/// Each thing that a wire may bring, in the words for it.
@Suite(.timeLimit(.minutes(1))) struct `The words for what came over a wire` {
  @Test func `are its own for each kind`() {
    let (id, error) = (RequestID.number(7), ErrorObject.invalidRequest("No."))
    let sentences: [(WireEvent, String)] = [
      (.invalid("Why."), "It sent JSON that is not a message: Why."),
      (.unknownResponse(id), "It sent answers with an id that nobody asked for: \(id)."),
      (.duplicateResponse(id), "It sent second answers: \(id)."),
      (.lateResponse(id), "It sent answers that came too late: \(id)."),
      (.anonymousError(error), "It sent errors without an id: \(error.message)"),
      (.duplicateRequest(id), "It sent requests with an id that is in use: \(id)."),
      (.unknownCancellation(id), "It sent cancellations of nothing."),
      (.tooManyRequests(id), "It sent more requests than may be open: \(id)."),
      (.notificationDropped(method: "a/b"), "It sent more notifications than can be served: a/b."),
      (.notificationFailed(method: "a/b", error), "It sent notifications that failed: a/b: \(error.message)"),
      (.unknownStream("s"), "It sent data for streams that are not there: s."),
      (.streamViolation("s", why: "Too much"), "It sent streams against the rules: s: Too much."),
      (.answerReplaced(id, error), "It sent requests whose answer did not fit: \(id): \(error.message)"),
    ]
    var tally = WireTally()
    for (event, sentence) in sentences { #expect(tally.add(event) == sentence) }
    for (event, _) in sentences { #expect(tally.add(event) == nil) }
    #expect(tally.summary?.split(separator: "(2 times)").count == sentences.count + 1)
  }
}
