import Foundation
import PropertyList
import PropertyListXML
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An XML property list that is written` {
  private func parsed(_ value: PropertyListValue) throws -> Any {
    let document = try #require(XMLPropertyListWriter.document(value))
    var format = PropertyListSerialization.PropertyListFormat.binary
    let found = try PropertyListSerialization.propertyList(from: Data(document.utf8), format: &format)
    #expect(format == .xml)
    return found
  }

  @Test func `has Apple's header, sorted keys and a tab for each level`() {
    let value = PropertyListValue.dictionary([
      "b": .array([.integer(-7), .real(1), .bool(true), .bool(false)]), "a": .dictionary([:]), "c": .array([]),
    ])
    #expect(
      XMLPropertyListWriter.document(value) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>a</key>
        \t<dict>
        \t</dict>
        \t<key>b</key>
        \t<array>
        \t\t<integer>-7</integer>
        \t\t<real>1.0</real>
        \t\t<true/>
        \t\t<false/>
        \t</array>
        \t<key>c</key>
        \t<array>
        \t</array>
        </dict>
        </plist>

        """)
  }

  @Test(arguments: [
    "", "plain", "<&>\"'", "]]>", "two\nlines\tand\r\nmore\r", "  space  ", "é 漢字 👩‍👩‍👧", "\u{7F}\u{85}\u{2028}",
    "<!-- no -->", "&amp;",
  ])
  func `gives Foundation the same text back, as a value and as a key`(text: String) throws {
    #expect(try parsed(.string(text)) as? String == text)
    #expect(try parsed(.dictionary([text: .integer(1)])) as? [String: Int] == [text: 1])
  }

  @Test(arguments: [0, 1, -1, 42, Int64.max, Int64.min]) func `gives Foundation the same integer back`(
    number: Int64
  ) throws {
    #expect(try (parsed(.integer(number)) as? NSNumber)?.int64Value == number)
  }

  @Test(arguments: [
    0, -0.0, 1, 0.1, -1.5, 1e-7, 1e300, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_992,
  ])
  func `gives Foundation the same number back`(number: Double) throws {
    #expect(try (parsed(.real(number)) as? NSNumber)?.doubleValue == number)
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (1_709_164_799, "2024-02-28T23:59:59Z"), (-2_203_977_600, "1900-02-28T00:00:00Z"),
    (-2_203_891_200, "1900-03-01T00:00:00Z"), (1_700_000_000.75, "2023-11-14T22:13:20Z"),
    (-0.25, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_135_596_801, "0000-12-31T23:59:59Z"),
  ])
  func `has dates in whole seconds`(seconds: Double, text: String) throws {
    #expect(try #require(XMLPropertyListWriter.document(.date(seconds))).contains("<date>\(text)</date>"))
  }

  @Test func `has the dates that Foundation reads`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let seconds = Double(Int64.random(in: -50_000_000_000...250_000_000_000, using: &generator))
      #expect(try (parsed(.date(seconds)) as? Date)?.timeIntervalSince1970 == seconds)
    }
  }

  @Test(arguments: 0...5) func `gives Foundation the same data back`(count: Int) throws {
    let bytes = (0..<count * 29).map { UInt8(truncatingIfNeeded: $0 &* 83) }
    #expect(try parsed(.data(bytes)) as? Data == Data(bytes))
  }

  @Test(arguments: [
    PropertyListValue.string("a\u{0}b"), .string("\u{1B}[31m"), .string("\u{FFFE}"), .real(.nan), .real(.infinity),
    .date(.nan), .date(.infinity), .date(-62_167_219_201), .date(253_402_300_800), .dictionary(["\u{8}": .bool(true)]),
    .array([.array([.string("\u{1}")])]),
  ])
  func `is refused for what XML cannot hold`(value: PropertyListValue) {
    #expect(XMLPropertyListWriter.document(value) == nil)
    #expect(XMLPropertyListWriter.document(.dictionary(["deep": .array([value])])) == nil)
  }
}
