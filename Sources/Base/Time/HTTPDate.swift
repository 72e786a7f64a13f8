/// Dates as headers of HTTP write them (RFC 9110, 5.6.7), in the form that is sent today.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, from the year 1970 to 9999; nil
  /// for any other form. The name of the day is not compared with the date.
  package static func seconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 40 else { return nil }
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
      let month = months.firstIndex(of: String(words[2])), let year = number(words[3], 1_970...9_999),
      let day = number(words[1], 1...31), let date = CivilDay(year: year, month: month + 1, day: day)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], 0...23), let minute = number(time[1], 0...59),
      let second = number(time[2], 0...60)
    else { return nil }
    return Int64(date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    var scanner = TimeScanner(String(text))
    return scanner.number(text.utf8.count, in: range)
  }
}
