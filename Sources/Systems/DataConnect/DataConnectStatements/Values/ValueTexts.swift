import Time

/// Days and times as clients write them.
package enum TimeText {
  /// A day of the Gregorian calendar: `2026-01-31`. What tells the time behind it is dropped. `nil` for no day.
  package static func date(_ text: String) -> String? {
    var scanner = TimeScanner(text)
    guard let day = scanner.day(years: 1...9_999), scanner.isAtEnd || scanner.take("Tt ") else { return nil }
    return day.description
  }

  /// A point in time as in RFC 3339, from the year 1583 to 9999, with at most nine digits behind the second, of which
  /// the database keeps six. `nil` for none.
  ///
  /// Source: https://www.rfc-editor.org/rfc/rfc3339#section-5.6.
  package static func timestamp(_ text: String) -> String? {
    ZonedTime(text, syntax).map { "\($0.day) \($0.time.text(fractionDigits: 6))\($0.offsetText)" }
  }

  /// PostgreSQL knows no offset of 16 hours and more, and no time zone has one.
  private static let syntax: TimeSyntax = {
    var syntax = TimeSyntax()
    (syntax.years, syntax.separators, syntax.lastSecond, syntax.offsetHours) = (1_583...9_999, "Tt ", 60, 0...15)
    return syntax
  }()
}

/// Arrays in the form that PostgreSQL reads.
///
/// Source: https://www.postgresql.org/docs/15/arrays.html#ARRAYS-IO.
package enum ArrayText {
  /// Every element between double quotes, so that no character in it means anything; `nil` is NULL.
  package static func text(of elements: [String?]) -> String {
    var text = "{"
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      guard let element else {
        text += "NULL"
        continue
      }
      text += "\""
      for scalar in element.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      text += "\""
    }
    return text + "}"
  }
}

/// The forms in which clients write UUIDs.
package enum UUIDText {
  /// 32 hexadecimal digits in lower case, of the same with hyphens, with `urn:uuid:` before them, or between braces;
  /// `nil` for everything else.
  package static func canonical(_ text: String) -> String? {
    var bytes = Array(text.lowercased().utf8.prefix(46))
    let prefix = Array("urn:uuid:".utf8)
    if bytes.starts(with: prefix) {
      bytes.removeFirst(prefix.count)
    } else if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") {
      bytes = Array(bytes.dropFirst().dropLast())
    }
    if bytes.count == 36 {
      for index in [23, 18, 13, 8] {
        guard bytes[index] == UInt8(ascii: "-") else { return nil }
        bytes.remove(at: index)
      }
    }
    let isHex = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return bytes.count == 32 && isHex ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
