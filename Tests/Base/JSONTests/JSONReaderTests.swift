import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A JSON reader` {
  static let accepted: [(String, JSONValue)] = [
    ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", .double(-0.0)), ("-1", -1),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .unsigned(1 << 63)), ("18446744073709551615", .unsigned(.max)),
    ("18446744073709551616", .double(18_446_744_073_709_551_616)),
    ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
    ("1.0", 1.0), ("0.1", 0.1), ("-0.25e2", -25.0), ("1e3", 1000.0), ("1E+2", 100.0), ("2.5e-3", 0.0025),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)),
    ("1e-400", 0.0), ("0.30000000000000004", 0.30000000000000004), ("123456789012345678.5", 123456789012345678.5),
    ("9007199254740993.0", 9007199254740992.0), ("0e5", 0.0), ("0.000", 0.0),
    (#""""#, ""), (#""abc""#, "abc"), (#""a\"b\\c\/d""#, #"a"b\c/d"#), (#""\b\f\n\r\t""#, "\u{8}\u{c}\n\r\t"),
    (#""\u0041\u00e9\u20ac""#, "Aé€"), (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00x""#, "😀x"), (#""\u0000""#, "\0"),
    ("\"é€😀\"", "é€😀"), ("\"\u{7f}\"", "\u{7f}"), (#""12345678901234567890\n""#, "12345678901234567890\n"),
    ("[]", []), ("[ ]", []), ("[1,[2],{}]", [1, [2], [:]]), ("\t[\r\n1 , 2 ]", [1, 2]),
    ("{}", [:]), (#"{ "a" : 1 , "b" : {"a":2} }"#, ["a": 1, "b": ["a": 2]]), (#"{"":null}"#, ["": .null]),
    (#"{"a":1,"aa":2,"aaa":3,"b":4,"bb":5,"c":6,"d":7,"e":8,"f":9,"g":10,"h":11}"#, eleven),
    (#"{"\u0061":1,"b":2, "\u0063":3}"#, ["a": 1, "b": 2, "c": 3]),
  ]
  static let eleven: JSONValue = [
    "a": 1, "aa": 2, "aaa": 3, "b": 4, "bb": 5, "c": 6, "d": 7, "e": 8, "f": 9, "g": 10, "h": 11,
  ]

  @Test(arguments: accepted) func `reads every form of value`(text: String, value: JSONValue) throws {
    try #expect(JSONValue(parsing: text) == value)
    // What only skips accepts the same texts, and what decodes sees the same value.
    try skip(Array(text.utf8))
    try #expect(JSONCoding.decode(JSONValue.self, from: Array(text.utf8)) == value)
  }

  static let refused: [(String, JSONError.Reason)] = [
    ("", .unexpectedEnd), ("  ", .unexpectedEnd), ("[", .unexpectedEnd), (#"{"a""#, .unexpectedEnd),
    (#"{"a":"#, .unexpectedEnd), ("[1,", .unexpectedEnd), (#""abc"#, .unexpectedEnd), (#""abc\"#, .unexpectedEnd),
    ("tru", .unexpectedEnd), ("trux", .unexpectedCharacter), ("nul0", .unexpectedCharacter),
    ("TRUE", .unexpectedCharacter), ("NaN", .unexpectedCharacter), ("Infinity", .unexpectedCharacter),
    ("-Infinity", .invalidNumber), ("'a'", .unexpectedCharacter), ("[1,]", .unexpectedCharacter),
    ("[,1]", .unexpectedCharacter), ("[1 2]", .unexpectedCharacter), (#"{"a":1,}"#, .unexpectedCharacter),
    (#"{,"a":1}"#, .unexpectedCharacter), (#"{"a" 1}"#, .unexpectedCharacter), ("{a:1}", .unexpectedCharacter),
    (#"{"a":1 "b":2}"#, .unexpectedCharacter), (#"{"\u0061":1 "b":2}"#, .unexpectedCharacter),
    ("[1}", .unexpectedCharacter), ("]", .unexpectedCharacter),
    ("[1]]", .trailingContent), ("1 2", .trailingContent), ("{}x", .trailingContent), ("nulll", .trailingContent),
    ("01", .invalidNumber), ("-", .invalidNumber), ("-01", .invalidNumber), ("1.", .invalidNumber),
    (".5", .unexpectedCharacter), ("+1", .unexpectedCharacter), ("1e", .invalidNumber), ("1e+", .invalidNumber),
    ("1.e5", .invalidNumber), ("0x10", .trailingContent), ("1_000", .trailingContent),
    ("1e400", .numberOutOfRange), ("-1e999999999999", .numberOutOfRange),
    (#""\x41""#, .invalidEscape), (#""\u12""#, .invalidEscape), (#""\u12g4""#, .invalidEscape),
    (#""\ud800""#, .loneSurrogate), (#""\ud800\u0041""#, .loneSurrogate), (#""\udc00""#, .loneSurrogate),
    (#""\ud800\ud800""#, .loneSurrogate), ("\"a\nb\"", .controlCharacter), ("\"a\0b\"", .controlCharacter),
    ("\"1234567890\u{1f}\"", .controlCharacter), ("\u{FEFF}{}", .byteOrderMark),
    (#"{"a":1,"a":2}"#, .duplicateKey("a")), (#"{"a":1,"\u0061":2}"#, .duplicateKey("a")),
    (#"[{"x":{"b":1,"c":2,"b":3}}]"#, .duplicateKey("b")), (#"{"":1,"":2}"#, .duplicateKey("")),
    (#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"a":1}"#, .duplicateKey("a")),
    (
      #"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"j":1}"#,
      .duplicateKey("j")
    ),
    (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), .tooDeep(limit: 64)),
    (String(repeating: "[", count: 100_000), .tooDeep(limit: 64)),
  ]

  @Test(arguments: refused) func `refuses what the grammar does not allow`(text: String, reason: JSONError.Reason) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.reason == reason)
    #expect(throws: JSONError.self) { try skip(Array(text.utf8)) }
    #expect(throws: JSONError.self) { try JSONCoding.decode(JSONValue.self, from: Array(text.utf8)) }
  }

  static let brokenUTF8: [[UInt8]] = [
    [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80],
    [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
  ]

  @Test(arguments: brokenUTF8) func `refuses what is not UTF-8, wherever it stands`(bytes: [UInt8]) {
    for padding in 0..<17 {
      let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes + [0x22]
      let error = #expect(throws: JSONError.self) { try JSONCoding.parse(text) }
      #expect(error?.reason == .invalidUTF8)
      #expect(throws: JSONError.self) { try skip(text) }
    }
  }

  @Test func `finds the end of a string wherever quotes, escapes and control characters stand`() throws {
    for before in 0..<20 {
      for after in 0..<20 {
        let left = String(repeating: "x", count: before)
        let right = String(repeating: "y", count: after)
        for (written, meant) in [("", ""), (#"\""#, "\""), (#"\\"#, "\\"), ("é", "é"), ("\u{7f}", "\u{7f}")] {
          try #expect(JSONValue(parsing: "[\"\(left)\(written)\(right)\"]") == [.string(left + meant + right)])
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[\"\(left)\u{1}\(right)\"]") }
      }
    }
  }

  @Test(arguments: [7, 8, 9, 12, 13, 20])
  func `tells the names of each object from each other alone, however many they are`(count: Int) throws {
    func object(_ value: String, last: String = "") -> String {
      "{" + (0..<count).map { "\"n\($0)\":\(value)" }.joined(separator: ",") + "\(last)}"
    }
    // Objects with the same names inside of each other and behind each other.
    let nested = object(object("[\(object("1")),\(object("2"))]"))
    #expect(try JSONValue(parsing: nested)["n1"]?["n2"]?[1]?["n3"] == 2)
    for place in [0, count - 1] {
      let twice = object(object("1"), last: ",\"n\(place)\":2")
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: twice) }
      #expect(error?.reason == .duplicateKey("n\(place)"))
    }
  }

  @Test func `says where a text is wrong`() {
    let text = "{\n  \"a\": 1,\n  \"b\": oops\n}"
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.offset == 19)
    let position = error?.position(in: text.utf8)
    #expect(position?.line == 3)
    #expect(position?.column == 8)
  }

  @Test func `counts the lines of a text, and the bytes of a line, from one`() {
    let text = Array("é\nab".utf8)
    for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 3), (9, 2, 3)] {
      let place = JSONError(.unexpectedEnd, at: offset).position(in: text)
      #expect(place.line == line && place.column == column, "\(offset)")
    }
    let error = JSONError(.tooDeep(limit: 3), at: 7)
    #expect(error.description == "Arrays and objects are nested more than 3 deep. (byte 7)")
  }

  @Test func `never crashes on a text that is cut or changed anywhere`() {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true],"b":{"c":null,"d":"é😀"}}"#.utf8)
    for end in 0..<text.count { #expect(throws: JSONError.self) { try JSONCoding.parse(Array(text[..<end])) } }
    for index in text.indices {
      for byte: UInt8 in [0x00, 0x20, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] {
        var changed = text
        changed[index] = byte
        let parsed = try? JSONCoding.parse(changed)
        let skipped: Void? = try? skip(changed)
        #expect((parsed == nil) == (skipped == nil))
      }
    }
  }

  private func skip(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      try reader.refuseByteOrderMark()
      try reader.skip()
      try reader.finish()
    }
  }
}
