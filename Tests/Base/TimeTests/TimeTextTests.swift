import Testing
import Time

@Suite(.timeLimit(.minutes(1))) struct `A text with a time` {
  @Test(arguments: [
    ("2026-01-31T12:00:00Z", 1_769_860_800), ("2026-01-31t12:00:00z", 1_769_860_800),
    ("2026-01-31T12:00:00+01:00", 1_769_857_200), ("2026-01-31T12:00:00-05:30", 1_769_880_600),
    ("1970-01-01T00:00:00.123456789Z", 0), ("9999-12-31T23:59:59-23:59", 253_402_387_139),
  ])
  func `is read as RFC 3339`(text: String, seconds: Int64) throws {
    #expect(try #require(ZonedTime(text)).unix.seconds == seconds)
  }

  @Test(arguments: [
    "", "now", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-02-29T12:00:00Z",
    "2026-13-01T12:00:00Z", "0000-01-01T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
    "2026-01-31T12:00:60Z", "2026-01-31T12:00Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.1234567890Z",
    "2026-01-31T12:00:00+0530", "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+12:60", "2026-01-31T12:00:00Zx",
    "+026-01-31T12:00:00Z", "２026-01-31T12:00:00Z", "12026-01-31T12:00:00Z", "2026-01-31T12:00:00.1é",
    "2026-01-31T12:00:00Z\0", "2026-1-31T12:00:00Z",
  ])
  func `is refused when RFC 3339 or the calendar does not have it`(text: String) { #expect(ZonedTime(text) == nil) }

  @Test func `is read with what a caller allows besides`() throws {
    var syntax = TimeSyntax()
    (syntax.years, syntax.separators, syntax.lastSecond) = (0...9_999, "Tt ", 60)
    let time = try #require(ZonedTime("0000-12-31 23:59:60.5-01:00", syntax))
    #expect("\(time.day) \(time.time.text(fractionDigits: 6))\(time.offsetText)" == "0000-12-31 23:59:60.5-01:00")
    (syntax.isBrief, syntax.fraction) = (true, 1...40)
    for text in ["2024-05-01T10:00+02", "2024-05-01 08:00", "2024-05-01T10:30:00.0000000000001+0230"] {
      #expect(try #require(ZonedTime(text, syntax)).unix.seconds == 1_714_550_400, "\(text)")
    }
    syntax.offsetHours = 0...1
    #expect(ZonedTime("2024-05-01T10:00+02", syntax) == nil)
    #expect(ZonedTime("2024-05-01T10:00:00.\(String(repeating: "0", count: 30))", syntax) == nil)
  }

  @Test func `is read with an offset in brief, on both sides of UTC`() {
    var syntax = TimeSyntax()
    (syntax.isBrief, syntax.fraction) = (true, 1...40)
    for text in ["06:00-02", "05:30-0230", "10:30+02:30", "08:00Z", "08:00:00"] {
      #expect(ZonedTime("2024-05-01T\(text)", syntax)?.unix.seconds == 1_714_550_400, "\(text)")
    }
    for text in ["10", "10:00:", "10:00.5", "10:00+", "10:00+2", "10:00+021", "10:00+02:", "10:00+02:60", "10:00-24"] {
      #expect(ZonedTime("2024-05-01T\(text)", syntax) == nil, "\(text)")
    }
    let long = ZonedTime("2024-05-01T08:00:00.1234567899", syntax)
    #expect(long?.time.nanoseconds == 123_456_789 && long?.time.fractionDigits == 9)
  }

  @Test func `keeps the digits that it has behind the second`() {
    for (text, kept) in [
      ("12:00:00", "12:00:00"), ("12:00:00.50", "12:00:00.50"), ("01:02:03.123456789", "01:02:03.123456"),
    ] {
      var scanner = TimeScanner(text)
      let time = scanner.timeOfDay(TimeSyntax())
      #expect(time?.text(fractionDigits: 6) == kept)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A date of HTTP` {
  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Sun, 6 Nov 1994 8:49:37 GMT", 784_111_777),
  ])
  func `is read from a header`(text: String, seconds: Int64) { #expect(HTTPDate.seconds(text) == seconds) }

  @Test(arguments: [
    "", "soon", "Sun, 06 Nov 1994", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
    "Sun, 06 Nov 99999 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08::49:37 GMT", "Sun, ٠6 Nov 1994 08:49:37 GMT",
    "Sun, 999999999999999999999 Nov 1994 08:49:37 GMT",
  ])
  func `is no other text`(text: String) { #expect(HTTPDate.seconds(text) == nil) }
}
