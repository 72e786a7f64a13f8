import Testing
import Time

@Suite(.timeLimit(.minutes(1))) struct `A day of the calendar` {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (1, 1, 1, -719_162),
    (0, 1, 1, -719_528), (0, 3, 1, -719_468), (-1, 12, 31, -719_529), (1600, 2, 29, -135_081), (1900, 3, 1, -25_508),
    (2024, 2, 29, 19_782), (9999, 12, 31, 2_932_896), (-9999, 1, 1, -4_371_587),
  ])
  func `is so many days after the first of 1970`(year: Int, month: Int, day: Int, days: Int) {
    #expect(CivilDay(year: year, month: month, day: day)?.daysSince1970 == days)
    let found = CivilDay(daysSince1970: days)
    #expect((found.year, found.month, found.day) == (year, month, day))
  }

  @Test func `is the one after the day before, over all years`() {
    var before = CivilDay(daysSince1970: -4_371_587)
    for days in -4_371_586...2_932_896 {
      let day = CivilDay(daysSince1970: days)
      let isNext =
        day.day == before.day + 1
        ? day.month == before.month && day.year == before.year
        : day.day == 1 && before.day >= 28
          && (day.month == before.month + 1 ? day.year == before.year : (day.month, before.month) == (1, 12))
      guard isNext, day.daysSince1970 == days else {
        Issue.record("\(day) follows \(before)")
        return
      }
      before = day
    }
  }

  @Test(arguments: [
    (2023, 2, 29), (1900, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31),
    (10_000, 1, 1), (-10_000, 1, 1), (.max, 1, 1), (2026, .max, 1), (2026, 1, .max), (.min, .min, .min),
  ])
  func `is none of those that the calendar lacks`(year: Int, month: Int, day: Int) {
    #expect(CivilDay(year: year, month: month, day: day) == nil)
  }

  @Test func `is the nearest that can be written for days far away`() {
    #expect(CivilDay(daysSince1970: .max).description == "9999-12-31")
    #expect(CivilDay(daysSince1970: .min).description == "-9999-01-01")
  }

  @Test(arguments: [("1970-01-01", 4, 0), ("2024-12-31", 2, 365), ("2026-11-23", 1, 326), ("0001-01-01", 1, 0)])
  func `knows its place in the week and in the year`(text: String, ofWeek: Int, ofYear: Int) {
    var scanner = TimeScanner(text)
    let day = scanner.day(years: 1...9_999)
    #expect(day?.dayOfWeek == ofWeek)
    #expect(day?.dayOfYear == ofYear)
    #expect(day?.description == text)
  }
}
