import Testing

@testable import HTTPClient

@Suite(.timeLimit(.minutes(1))) struct `A limit of bytes a second` {
  @Test(
    arguments: [
      (-1, 1_024), (1, 1_024), (16_384, 1_024), (16_400, 1_025), (1 << 20 - 16, 65_535), (1 << 20, 65_536),
      (.max, 65_536),
    ] as [(Int, Int)]) func `asks for a sixteenth of a second at once, from 1 to 64 KiB`(rate: Int, bytes: Int)
  {
    #expect(HTTPRateLimit(bytesPerSecond: rate).pieceBytes == bytes)
  }

  @Test func `gives a whole piece as long as anything is left, which all then owe`() {
    let limit = HTTPRateLimit(bytesPerSecond: 1_000)
    #expect(limit.wait == nil && limit.take(1_000_000))
    #expect(!limit.take(1) && !limit.take(0))
    #expect(limit.wait.map { $0 > .seconds(900) && $0 <= .seconds(1_000) } == true)
    #expect(HTTPRateLimit(bytesPerSecond: 0).rate == 1)
  }

  @Test func `waits until a twentieth of a second is there, of which it had a tenth in advance`() {
    let start = ContinuousClock.now
    let limit = HTTPRateLimit(bytesPerSecond: 1_000)
    #expect(limit.take(1_000_000))
    guard let wait = limit.wait else {
      Issue.record("There is something to take.")
      return
    }
    // 100 bytes less than were taken are owed, and 50 are wanted.
    let whole = Duration.milliseconds(999_950)
    #expect(wait <= whole + .microseconds(1) && wait >= whole - (ContinuousClock.now - start) - .microseconds(1))
  }

  @Test func `gives again what time has brought, to those who only take`() {
    let limit = HTTPRateLimit(bytesPerSecond: 1_000_000_000)
    // A tenth of a second is owed then.
    #expect(limit.take(200_000_000))
    let end = ContinuousClock.now + .seconds(20)
    var isGiven = false
    while !isGiven, ContinuousClock.now < end { isGiven = limit.take(1) }
    #expect(isGiven)
  }
}
