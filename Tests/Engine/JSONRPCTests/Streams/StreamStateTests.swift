@testable import JSONRPC
import Testing

@testable import JSON

@Suite(.timeLimit(.minutes(1))) struct `The sender of a stream` {
  @Test func `takes no more than its credit, and numbers its messages`() {
    var sender = StreamSender()
    #expect(sender.take(atMost: 10) == .wait)
    #expect(sender.granted(15) == true)
    #expect(sender.take(atMost: 10) == .send(count: 10, sequence: 1))
    #expect(sender.take(atMost: 10) == .send(count: 5, sequence: 2))
    #expect(sender.take(atMost: 10) == .wait)
    #expect(sender.granted(4) == true)
    #expect(sender.take(whole: 5) == .wait)
    #expect(sender.take(whole: 4) == .send(count: 4, sequence: 3))
  }

  @Test(arguments: [0, -1, .min, .max, (1 << 40) + 1]) func `does not believe a credit that makes no sense`(credit: Int)
  {
    var sender = StreamSender()
    #expect(sender.granted(credit) == false)
    #expect(sender.credit == 0)
  }

  @Test func `has as much credit as a peer may grant, and grants of it again what was used`() {
    var sender = StreamSender()
    let most = 1 << 40
    #expect(sender.granted(most) == true && sender.granted(1) == false && sender.credit == most)
    #expect(sender.take(atMost: 2) == .send(count: 2, sequence: 1))
    #expect(sender.granted(3) == false && sender.granted(2) == true && sender.credit == most)
    #expect(sender.take(whole: most) == .send(count: most, sequence: 2) && sender.take(whole: 1) == .wait)
  }

  @Test func `ends with a reason that has a weight and an error`() {
    let error = ErrorObject(code: 1, message: "é")
    #expect(StreamEnd.finished.weight == 0 && StreamEnd.finished.error == .streamUnknown("The stream has ended."))
    #expect(StreamEnd.failed(error).weight == 2 && StreamEnd.failed(error).error == error)
    #expect(StreamEnd.dropped(error).weight == 2 && StreamEnd.dropped(error).error == error)
    let dropped = StreamEnd.dropped(nil)
    #expect(dropped.weight == 0 && dropped.error == .streamUnknown("The receiver dropped the stream."))
  }

  @Test func `keeps its first end`() {
    var sender = StreamSender()
    _ = sender.granted(100)
    #expect(sender.stop(.dropped(nil)) == true)
    #expect(sender.stop(.finished) == false)
    #expect(sender.take(atMost: 1) == .over(.dropped(nil)))
    #expect(sender.take(whole: 1) == .over(.dropped(nil)))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The receiver of a stream` {
  @Test func `grants its window when the stream is open and claimed, whichever comes first`() {
    var receiver = StreamReceiver(window: 100)
    #expect(receiver.opened() == 0)
    #expect(receiver.claimed() == 100)
    receiver = StreamReceiver(window: 100)
    #expect(receiver.claimed() == 0)
    #expect(receiver.opened() == 100)
    #expect(receiver.opened() == 0)
  }

  @Test func `grants again what was read, by halves of its window`() {
    var receiver = StreamReceiver(window: 100)
    _ = receiver.opened()
    _ = receiver.claimed()
    #expect(receiver.received(60, sequence: 1) == .accepted)
    #expect(receiver.outstanding == 40)
    #expect(receiver.took(30) == 0)
    #expect(receiver.took(30) == 60)
    #expect(receiver.outstanding == 100)
  }

  @Test(arguments: [(1, 1, 0), (5, 3, 2), (100, 50, 49)])
  func `grants at half of its window, and not one byte before, each time`(window: Int, half: Int, before: Int) {
    var receiver = StreamReceiver(window: window)
    #expect(receiver.claimed() == 0 && receiver.opened() == window)
    for sequence in 1...3 {
      #expect(receiver.received(half, sequence: Int64(sequence)) == .accepted)
      #expect(receiver.outstanding == window - half)
      #expect(receiver.took(before) == 0 && receiver.took(half - before) == half)
      #expect(receiver.outstanding == window)
    }
  }

  @Test func `takes as much as it has granted, grants its window once, and nothing after the end`() {
    var receiver = StreamReceiver(window: 100)
    _ = receiver.opened()
    _ = receiver.claimed()
    #expect(receiver.received(100, sequence: 1) == .accepted && receiver.outstanding == 0)
    #expect(receiver.opened() == 0 && receiver.claimed() == 0)
    #expect(isViolation(receiver.received(1, sequence: 2)) && receiver.took(49) == 0)
    #expect(receiver.stop(.finished) == true && receiver.took(51) == 0)
    #expect(StreamReceiver(window: 0).window == 1 && StreamReceiver(window: -5).window == 1)
  }

  static let violations: [(bytes: Int, sequence: Int64)] = [(101, 1), (1, 2), (1, 0), (1, -1), (.max, 1), (1, .max)]

  @Test(arguments: violations) func `refuses more than its credit and what is out of order`(
    bytes: Int, sequence: Int64
  ) {
    var receiver = StreamReceiver(window: 100)
    _ = receiver.opened()
    _ = receiver.claimed()
    let verdict = receiver.received(bytes, sequence: sequence)
    #expect(isViolation(verdict))
  }

  @Test func `refuses data of a stream that nobody reads, and ignores what follows the end`() {
    var receiver = StreamReceiver(window: 100)
    var verdict = receiver.received(1, sequence: 1)
    #expect(isViolation(verdict))
    _ = receiver.opened()
    verdict = receiver.received(1, sequence: 1)
    #expect(isViolation(verdict))
    #expect(receiver.stop(.finished) == true)
    #expect(receiver.stop(.dropped(nil)) == false)
    #expect(receiver.received(1, sequence: 1) == .ignored)
    #expect(receiver.claimed() == 0)
  }

  private func isViolation(_ verdict: StreamReceiver.Verdict) -> Bool {
    if case .violation = verdict { true } else { false }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Base64 text` {
  @Test func `is what RFC 4648 says, and reads back`() throws {
    let vectors = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "foobar": "Zm9vYmFy"]
    for (plain, text) in vectors {
      #expect(encode(Array(plain.utf8)) == "\"\(text)\"")
      #expect(try decode("\"\(text)\"") == Array(plain.utf8))
    }
    let all = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(try decode(encode(all)) == all)
    #expect(try decode(#""\/\/8=""#) == [0xFF, 0xFF])
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm8", "Z\u{e9}==", "=m8=", "Zm=v", "====", "Zm9v "])
  func `is strict`(text: String) throws { #expect(try decode("\"\(text)\"") == nil) }

  private func encode(_ bytes: [UInt8]) -> String {
    var writer = JSONWriter(capacity: 16)
    unsafe bytes.withUnsafeBytes { unsafe writer.base64($0) }
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func decode(_ text: String) throws -> [UInt8]? {
    try Array(text.utf8).withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      return try reader.base64()
    }
  }
}
