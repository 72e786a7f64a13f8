import Testing
import Time

@Suite(.timeLimit(.minutes(1))) struct `A point in time` {
  @Test(arguments: [
    (0, 0, "1970-01-01T00:00:00Z"), (-1, 500_000_000, "1969-12-31T23:59:59.5Z"),
    (1_709_202_615, 250_000_000, "2024-02-29T10:30:15.25Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"), (0, 1, "1970-01-01T00:00:00.000000001Z"),
    (-62_167_219_200, 0, "0000-01-01T00:00:00Z"),
  ])
  func `is written as RFC 3339 writes it, and read again`(seconds: Int64, nanoseconds: Int32, text: String) throws {
    let time = UnixTime(seconds: seconds, nanoseconds: nanoseconds)
    #expect(time.text(.shortest) == text)
    var syntax = TimeSyntax()
    syntax.years = 0...9_999
    #expect(try #require(ZonedTime(text, syntax)).unix == time)
  }

  @Test func `is written with the digits that are asked for`() {
    let time = UnixTime(seconds: 1_795_300_000, nanoseconds: 120_000_000)
    #expect(time.text() == "2026-11-21T22:26:40Z")
    #expect(time.text(.thousandths) == "2026-11-21T22:26:40.120Z")
    #expect(UnixTime(seconds: 0, nanoseconds: 1_000).text(.thousandths) == "1970-01-01T00:00:00.000001Z")
    #expect(time.text(separator: " ") == "2026-11-21 22:26:40Z")
    #expect(time.fileStamp == "20261121T222640.120000Z")
  }

  @Test func `never overflows`() {
    for seconds in [Int64.min, .min + 1, -9_223_372_037, 9_223_372_037, .max - 1, .max] {
      let time = UnixTime(seconds: seconds, nanoseconds: .max)
      #expect(time.nanoseconds == 999_999_999)
      #expect((0..<86_400).contains(time.secondOfDay))
      #expect((-9_999...9_999).contains(time.day.year))
      #expect(time.wholeNanoseconds == (seconds < 0 ? .min : .max))
    }
    #expect(UnixTime(seconds: -1, nanoseconds: 999_000_000).milliseconds == -1)
    #expect(UnixTime(seconds: 1, nanoseconds: 2_345_678).inMicroseconds.nanoseconds == 2_345_000)
  }

  @Test func `is now between two looks at the clock`() {
    let (before, time, after) = (UnixTime.now, WallClock.system.now(), UnixTime.now)
    #expect(before <= time && time <= after && time.seconds > 1_700_000_000)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A clock of the machine's start` {
  @Test func `ends what is too long for it never`() {
    let clock = BootClock(boot: "one") { 5 }
    #expect(clock.end(of: .nanoseconds(7)) == 12)
    #expect(clock.end(of: .seconds(-1)) == 5)
    #expect(clock.end(of: .seconds(9_000_000_000)) == .max)
    #expect(clock.end(of: .seconds(Int64.max)) == .max)
    #expect(!BootClock.system.boot.isEmpty && BootClock.system.now() > 0)
  }
}
