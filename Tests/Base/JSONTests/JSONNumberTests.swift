import Testing

@testable import JSON

@Suite(.timeLimit(.minutes(1)))
struct `A JSON number` {
  /// What stands behind a number: nothing, or more than a machine word.
  private static let ends = ["", " ", "          ", ",1234567890"]

  private func read<Value>(
    _ text: String, _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> (value: Value, end: Int) {
    var result: Result<(value: Value, end: Int), JSONError>?
    Array(text.utf8).withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) {
        let value = try body(&reader)
        result = .success((value, reader.at))
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { preconditionFailure("the reader was asked") }
    return try result.get()
  }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ text: String) -> Value? {
    try? read(text) { reader throws(JSONError) in try reader.integer(type) }.value
  }

  @Test(arguments: ends) func `fits its type up to the last`(end: String) {
    #expect(integer(Int8.self, "127\(end)") == 127 && integer(Int8.self, "128\(end)") == nil)
    #expect(integer(Int8.self, "-128\(end)") == -128 && integer(Int8.self, "-129\(end)") == nil)
    #expect(integer(UInt8.self, "255\(end)") == 255 && integer(UInt8.self, "256\(end)") == nil)
    #expect(integer(UInt8.self, "-1\(end)") == nil && integer(UInt8.self, "-0\(end)") == 0)
    #expect(integer(Int64.self, "9223372036854775807\(end)") == .max)
    #expect(integer(Int64.self, "9223372036854775808\(end)") == nil)
    #expect(integer(Int64.self, "-9223372036854775808\(end)") == .min)
    #expect(integer(Int64.self, "-9223372036854775809\(end)") == nil)
    #expect(integer(UInt64.self, "18446744073709551615\(end)") == .max)
    #expect(integer(UInt64.self, "18446744073709551616\(end)") == nil)
    #expect(integer(UInt64.self, "18446744073709551620\(end)") == nil)
    #expect(integer(Int.self, "1e2\(end)") == 100 && integer(Int.self, "12.0\(end)") == 12)
    #expect(integer(Int.self, "1.5\(end)") == nil && integer(Int.self, "01\(end)") == nil)
    #expect(integer(Int.self, "-\(end)") == nil && integer(Int.self, "--1\(end)") == nil)
  }

  @Test(arguments: 1...20) func `has all of its digits, and ends behind the last`(count: Int) throws {
    let digits = String("98765432109876543210".prefix(count))
    for sign in ["", "-"] {
      for end in Self.ends {
        let text = "\(sign)\(digits)"
        let found = try? read(text + end) { reader throws(JSONError) in try reader.integer(Int64.self) }
        #expect(found?.value == Int64(text) && (found == nil || found?.end == text.utf8.count), "\(text)")
        let plain = try? read(text + end) { reader throws(JSONError) in try reader.integer() }
        #expect(plain?.value == Int(text), "\(text)")
      }
    }
  }

  @Test func `is the double that Swift reads, however it is written`() throws {
    let digits = "98765432109876543210"
    // Sixteen digits, which as a whole number are above 2^53, so that a double does not hold all of them.
    var texts = ["91399620.84340797", "944608837.2433843", "986.5452293525111", "9482.463022877763"]
    for whole in [1, 2, 7, 8, 9, 15, 16, 17, 20] {
      for decimals in [0, 1, 6, 7, 8, 9, 14, 15, 16, 20] {
        let point = decimals == 0 ? "" : ".\(digits.suffix(decimals))"
        let number = "\(digits.prefix(whole))\(point)"
        texts += ["", "e0", "e22", "E+23", "e-22", "e-23", "e7", "e-7", "e1000", "e-1001"].map { number + $0 }
        texts.append("0\(point)")
        texts.append("0.000\(digits.prefix(decimals))")
      }
    }
    var count = 0
    for text in texts {
      guard let expected = Double(text), expected.isFinite else {
        #expect(throws: JSONError.self, "\(text)") { try JSONValue(parsing: text) }
        continue
      }
      for sign in ["", "-"] {
        for end in Self.ends {
          let found = try read(sign + text + end) { reader throws(JSONError) in try reader.double() }
          #expect(found.value == (sign == "" ? expected : -expected), "\(sign)\(text)")
          #expect(found.end == (sign + text).utf8.count, "\(sign)\(text)")
          count += 1
        }
      }
    }
    #expect(count > 4_000)
  }

  @Test func `is finite with 308 digits, and not with 310`() throws {
    let digits = String(repeating: "9", count: 308)
    #expect(try JSONValue(parsing: digits) == .double(1e308))
    for text in [digits + "99", "-\(digits)99", digits + "99.5"] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
      #expect(error?.reason == .numberOutOfRange)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A JSON text at its bounds` {
  @Test func `is as deep as it may be, however often`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let object = String(repeating: "{\"a\":", count: 63) + "{}" + String(repeating: "}", count: 63)
    for deepest in [nested(63), nested(62).replacing("[]", with: "{}")] {
      let text = "[\(Array(repeating: deepest, count: 100).joined(separator: ","))]"
      #expect(try JSONValue(parsing: text).arrayValue?.count == 100)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: object) }
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"a\":\(object)}") }
    #expect(error?.reason == .tooDeep(limit: 64))
  }

  @Test(arguments: [2, 8, 9, 12, 13, 14, 40]) func `has each name of an object once`(count: Int) throws {
    let names = (0..<count).map { "\"n\($0)\"" }
    func text(_ names: [String], _ value: String = "1") -> String {
      "{\(names.map { "\($0):\(value)" }.joined(separator: ","))}"
    }
    #expect(try JSONValue(parsing: text(names)).objectValue?.count == count)
    // Objects in objects have names of their own, and leave those of the outer one.
    let nested = text(names, text(names))
    #expect(try JSONValue(parsing: nested).objectValue?.count == count)
    for place in [0, count / 2, count - 1] {
      for other in ["\"n\(place)\"", "\"\\u006E\(place)\""] {
        for text in [text(names + [other]), text([other] + names), text(names + [other], text(names))] {
          let error = #expect(throws: JSONError.self, "\(text)") { try JSONValue(parsing: text) }
          #expect(error?.reason == .duplicateKey("n\(place)"))
        }
      }
    }
  }

  @Test(
    arguments: [0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x3_FFFF, 0x10_FFFF] as [UInt32])
  func `has every character of Unicode, as it is or as an escape`(value: UInt32) throws {
    let text = String(try #require(Unicode.Scalar(value)))
    let escape = text.utf16.map { unit in
      "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
    }.joined()
    for written in [text, escape, escape.uppercased().replacing("\\U", with: "\\u")] {
      #expect(try JSONValue(parsing: "\"\(written)\"") == .string(text))
      #expect(try JSONValue(parsing: "[\"12345678\(written)12345678\"]") == [.string("12345678\(text)12345678")])
    }
  }

  @Test func `has escapes of four digits only`() {
    for digit in ["/", ":", "@", "G", "`", "g", "é", "\""] {
      for place in 0..<4 {
        var digits = ["0", "0", "4", "1"]
        digits[place] = digit
        #expect(throws: JSONError.self) { try JSONValue(parsing: "\"\\u\(digits.joined())\"") }
      }
    }
    for text in ["\\uDFFF", "\\uDBFF", "\\uD800x", "\\uD800\\n", "\\uD800\\u0041", "\\uDC00\\uD800", "\\uD800\\uE000"] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "\"\(text)\"") }
      #expect(error?.reason == .loneSurrogate, "\(text)")
    }
  }

  @Test func `is written before what is there, however little room there is`() {
    for headroom in [0, 1, 20] {
      var writer = JSONWriter(capacity: 1, headroom: headroom)
      writer.raw("end")
      for number in [0, 10, -7, Int64.max, .min] {
        writer.prepend(",")
        writer.prepend(number)
      }
      let text = writer.withBytes { String(decoding: $0, as: UTF8.self) }
      #expect(writer.length == text.utf8.count)
      #expect(text == "-9223372036854775808,9223372036854775807,-7,10,0,end")
      writer.clear()
      #expect(writer.length == 0)
    }
  }
}
