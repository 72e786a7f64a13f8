/// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7); nil for any other form.
func secondsSince1970(ofHTTPDate text: String) -> Int? {
  let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  let parts = text.split(separator: " ")
  guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
    let day = Int(parts[1]), (1...31).contains(day), let month = months.firstIndex(of: String(parts[2])),
    let year = Int(parts[3]), (1970...9999).contains(year)
  else { return nil }
  let time = parts[4].split(separator: ":").map { Int($0) ?? -1 }
  guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]) else {
    return nil
  }
  // Days of the proleptic Gregorian calendar, with years that begin in March.
  let shifted = month < 2 ? year - 1 : year
  let era = shifted / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
  let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  return days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
}
