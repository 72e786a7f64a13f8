import Testing
import Time

@Suite(.timeLimit(.minutes(1)))
struct `A time at its bounds` {
  @Test func `has as many milliseconds and nanoseconds as fit, and the nearest beyond`() {
    #expect(UnixTime(seconds: 2, nanoseconds: 3_999_999).milliseconds == 2_003)
    #expect(UnixTime(seconds: 2, nanoseconds: 3).wholeNanoseconds == 2_000_000_003)
    #expect(UnixTime(seconds: -2, nanoseconds: 3).wholeNanoseconds == -1_999_999_997)
    let last = UnixTime(seconds: 9_223_372_036, nanoseconds: 854_775_806)
    #expect(last.wholeNanoseconds == .max - 1)
    #expect(UnixTime(seconds: last.seconds, nanoseconds: last.nanoseconds + 2).wholeNanoseconds == .max)
    #expect(UnixTime(seconds: 9_223_372_036, nanoseconds: 999_999_999).wholeNanoseconds == .max)
    #expect(UnixTime(seconds: -9_223_372_036).wholeNanoseconds == -9_223_372_036_000_000_000)
    #expect(UnixTime(seconds: 0, nanoseconds: -1).nanoseconds == 0)
    #expect(UnixTime(seconds: 0, nanoseconds: 1_000_000_000).nanoseconds == 999_999_999)
    #expect(UnixTime(seconds: 1, nanoseconds: 500_000_000).fractionalSeconds == 1.5)
  }

  @Test func `is before another by a nanosecond`() {
    let time = UnixTime(seconds: 5, nanoseconds: 6)
    #expect(time < UnixTime(seconds: 5, nanoseconds: 7) && time < UnixTime(seconds: 6) && !(time < time))
    #expect(UnixTime(seconds: 4, nanoseconds: 7) < time)
  }

  @Test func `is written from the first second of year 1 to the last of year 9999`() {
    #expect(UnixTime(seconds: UnixTime.writable.lowerBound).text() == "0001-01-01T00:00:00Z")
    #expect(UnixTime(seconds: UnixTime.writable.upperBound).text() == "9999-12-31T23:59:59Z")
    #expect(UnixTime(seconds: -86_400).text() == "1969-12-31T00:00:00Z")
    #expect(UnixTime(seconds: -86_401).text() == "1969-12-30T23:59:59Z")
  }

  @Test func `is read out of forty bytes at most`() {
    var syntax = TimeSyntax()
    (syntax.isBrief, syntax.fraction) = (true, 1...40)
    for (count, isRead) in [(20, true), (21, false)] {
      let text = "2024-05-01T10:00:00." + String(repeating: "0", count: count)
      #expect((ZonedTime(text, syntax) != nil) == isRead)
    }
    let date = "Sun, 06 Nov 1994 08:49:37 "
    for (count, seconds) in [(11, 784_111_777), (12, nil)] as [(Int, Int64?)] {
      #expect(HTTPDate.seconds(date + String(repeating: " ", count: count) + "GMT") == seconds)
    }
  }

  @Test(arguments: [("00:00", 0), ("+00:30", 1_800), ("-00:30", -1_800), ("-12:45", -45_900), ("+23:59", 86_340)])
  func `is so many seconds ahead of UTC`(text: String, seconds: Int) throws {
    let sign = text.hasPrefix("0") ? "+" : ""
    let time = try #require(ZonedTime("2024-05-01T10:00:00\(sign)\(text)"))
    #expect(time.offset == seconds && time.offsetText == sign + text)
  }

  @Test func `of day has no hour 24 and no minute 60`() {
    let seconds =
      [
        ("23:59:59", 86_399), ("24:00:00", nil), ("23:60:00", nil), ("23:59:60", nil), ("00:00:00", 0),
      ] as [(String, Int?)]
    for (text, seconds) in seconds {
      var scanner = TimeScanner(text)
      #expect(scanner.timeOfDay(TimeSyntax())?.seconds == seconds, "\(text)")
    }
  }

  @Test func `of HTTP is in one of twelve months, from 1970 on`() {
    let days =
      [
        ("Jan", 0), ("Feb", 31), ("Mar", 59), ("Apr", 90), ("May", 120), ("Jun", 151), ("Jul", 181), ("Aug", 212),
        ("Sep", 243), ("Oct", 273), ("Nov", 304), ("Dec", 334),
      ] as [(String, Int64)]
    for (month, day) in days {
      #expect(HTTPDate.seconds("Xxx, 01 \(month) 1970 00:00:00 GMT") == day * 86_400, "\(month)")
    }
    #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:60 GMT") == 60)
    for text in [
      "Wed, 31 Dec 1969 23:59:59 GMT", "Thu, 00 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 24:00:00 GMT",
      "Thu, 01 Jan 1970 00:60:00 GMT", "Thu, 01 jan 1970 00:00:00 GMT", "Thu. 01 Jan 1970 00:00:00 GMT",
    ] { #expect(HTTPDate.seconds(text) == nil, "\(text)") }
  }

  @Test func `of a clock is in whole seconds and milliseconds, rounded down`() {
    let clock = WallClock(now: { UnixTime(seconds: -1, nanoseconds: 999_999_999) }, sleep: { _ in })
    #expect(clock.seconds == -1 && clock.milliseconds == -1)
    let later = WallClock(now: { UnixTime(seconds: 7, nanoseconds: 8_900_000) }, sleep: { _ in })
    #expect(later.seconds == 7 && later.milliseconds == 7_008)
    for _ in 0..<100 { #expect((0...1).contains(clock.random())) }
  }

  @Test func `of the machine's start ends at the last that fits`() {
    let start = BootClock(boot: "one") { 0 }
    #expect(start.end(of: .seconds(8_999_999_999)) == 8_999_999_999_000_000_000)
    #expect(start.end(of: .seconds(9_000_000_000)) == .max)
    let late = BootClock(boot: "one") { .max - 10 }
    #expect(late.end(of: .nanoseconds(9)) == .max - 1)
    #expect(late.end(of: .nanoseconds(11)) == .max)
  }
}
