package import PropertyList
internal import Text
import Time

/// Writes the XML form of a property list (Apple's DTD, version 1.0). Keys are sorted.
package enum XMLPropertyListWriter {
  /// - Returns: the document; `nil` for a value that the form cannot hold: a text with a control character, a number or
  ///   date that is not finite or lies outside of the years 0 to 9999.
  package static func document(_ value: PropertyListValue) -> String? {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    guard append(value, to: &text, indent: "") else { return nil }
    return text + "</plist>\n"
  }

  private static func append(_ value: PropertyListValue, to text: inout String, indent: String) -> Bool {
    switch value {
    case .bool(let value): text += "\(indent)<\(value)/>\n"
    case .integer(let number): text += "\(indent)<integer>\(number)</integer>\n"
    case .real(let number):
      guard number.isFinite else { return false }
      text += "\(indent)<real>\(number)</real>\n"
    case .date(let seconds):
      guard let date = date(seconds) else { return false }
      text += "\(indent)<date>\(date)</date>\n"
    case .data(let bytes): text += "\(indent)<data>\(Base64.encode(bytes))</data>\n"
    case .string(let string):
      guard let escaped = escaped(string) else { return false }
      text += "\(indent)<string>\(escaped)</string>\n"
    case .array(let elements):
      text += "\(indent)<array>\n"
      for element in elements where !append(element, to: &text, indent: indent + "\t") { return false }
      text += "\(indent)</array>\n"
    case .dictionary(let entries):
      text += "\(indent)<dict>\n"
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        guard let escaped = escaped(key) else { return false }
        text += "\(indent)\t<key>\(escaped)</key>\n"
        guard append(value, to: &text, indent: indent + "\t") else { return false }
      }
      text += "\(indent)</dict>\n"
    }
    return true
  }

  /// Text as XML 1.0 can hold it.
  private static func escaped(_ text: String) -> String? {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\r": result += "&#13;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: return nil
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// `2026-11-20T22:15:00Z`: the form has whole seconds only.
  private static func date(_ seconds: Double) -> String? {
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
    return UnixTime(seconds: Int64(seconds.rounded(.down))).text()
  }
}
