import CEL
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The bounds of an expression` {
  @Test(arguments: [
    "0 > -0.5", "0 < 0.5", "!(0 < -0.5)", "-1 < -0.5", "-0.5 < 0", "!(0.5 < 0)", "1 == 1.0", "1 != 1.5", "-1 > -1.5",
    "9223372036854775807 < 9223372036854775808.0", "18446744073709551615u < 18446744073709551616.0",
    "18446744073709551615u > 9223372036854775807", "1 < 3.7e19", "1 > -3.7e19", "!(1 < 0.0/0.0)", "!(1 >= 0.0/0.0)",
    "!(0.0/0.0 <= 1)", "1 != 0.0/0.0", "2 >= 2", "2 <= 2", "!(2 < 2)", "!(2 > 2)", "'a' <= 'a'", "'a' < 'aa'",
    "!('aa' < 'a')", "'f' > 'e\u{301}'", "b'a' <= b'a'", "b'a' < b'aa'", "!(b'b' < b'a')", "true <= true",
    "!(true < false)", "[1, 2] != [1, 3]", "{'a': 1} != {'a': 2}", "{'a': 1} != {'b': 1}", "{'a': 1} != {}",
    "b'a' != b'b'",
  ])
  func `are where values are equal`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    "timestamp('2026-01-01T00:00:00.1Z') < timestamp('2026-01-01T00:00:00.2Z')",
    "!(timestamp('2026-01-01T00:00:00.1Z') < timestamp('2026-01-01T00:00:00.1Z'))",
    "timestamp('2026-01-01T00:00:00.9Z') < timestamp('2026-01-01T00:00:01Z')",
    "duration('1.5s') > duration('1.25s')", "duration('-1.5s') < duration('-1.25s')",
    "timestamp(253402300799).getFullYear() == 9999", "timestamp(-62135596800).getFullYear() == 1",
    "duration('87660000h') == duration(315576000000)", "duration('-87660000h') == duration(-315576000000)",
    "duration('1h1m1s1ms1us1ns') == duration('3661.001001001s')",
    "duration('1.123456789012345678s') > duration('1.1s')",
    "duration('90m').getHours() == 1", "duration('90m').getMinutes() == 90", "duration('90m').getSeconds() == 5400",
    "duration('1.75s').getMilliseconds() == 750", "timestamp('2026-01-01T00:01:59Z').getSeconds() == 59",
    "timestamp('2026-01-01T23:00:00Z').getHours() == 23", "string(duration('-0.5s')) == '-0.5s'",
    "string(duration('-1.5s')) == '-1.5s'", "string(duration('0.000000001s')) == '0.000000001s'",
    "duration('1s') - duration('2s') == duration('-1s')", "duration('1h') + timestamp(0) == timestamp(3600)",
    "timestamp(0) - duration('0.25s') == timestamp('1969-12-31T23:59:59.75Z')",
  ])
  func `are those of times`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    "timestamp(253402300800)", "timestamp(-62135596801)", "duration('87660000h1s')", "duration('-87660000h1s')",
    "duration(315576000001)", "duration('')", "duration('-')", "duration('.5s')", "duration('1.s')",
    "duration('1.2.3s')",
    "duration('1.1234567890123456789s')", "duration('1d')", "duration(' 1s')", "duration('1s ')",
    "timestamp(0) - duration('62135596801s')", "duration('1s').getFullYear()", "1.getHours()", "duration('1s') * 2",
    "timestamp(0) + timestamp(0)", "duration('1s') - timestamp(0)",
  ])
  func `refuse times beyond them`(text: String) {
    #expect(failure(text) != nil)
  }

  @Test(arguments: [
    "bool('true') && bool('TRUE') && bool('True') && bool('t') && bool('1') && bool(true)",
    "!(bool('false') || bool('FALSE') || bool('False') || bool('f') || bool('0'))", "bytes(b'a') == b'a'",
    "double(1) == 1.0", "double(2u) == 2.0", "int(3u) == 3", "int(9223372036854775807u) == 9223372036854775807",
    "int('-9223372036854775808') == -9223372036854775808", "uint(2.9) == 2u", "uint('18446744073709551615') > 1u",
    "string(2u) == '2'", "string('é') == 'é'", "string(999999999999999.0) == '999999999999999'",
    "string(1e15) == '1000000000000000'", "string(1e16) == '1e+16'", "string(-2.0) == '-2'", "type(uint(1)) == uint",
    "type(timestamp(0)) == timestamp",
    "type(duration('1s')) == duration", "type(b'') == bytes", "type(1.0) == double", "type([]) == list",
    "type({}) == map",
    "true in {true: 1}", "18446744073709551615u in {18446744073709551615u: 1}", "!(null in {1: 1})", "[7][0] == 7",
    "{1: 'a'}[1.0] == 'a'",
  ])
  func `are those of conversions`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    "int(9223372036854775808u)", "int(9223372036854775808.0)", "uint(-1.0)", "uint(18446744073709551616.0)",
    "uint('-1')", "int(true)", "double(true)", "bool(1)", "bytes(1)", "string([])", "bool('yes')", "[7][1]", "[7]['0']",
    "[7][0.5]", "{1.5: 1}", "size(null)", "type(1) < type(2)", "!!1", "--'a'",
  ])
  func `refuse conversions beyond them`(text: String) {
    #expect(failure(text) != nil)
  }

  @Test(arguments: [
    "[1, 2,] == [1, 2]", "{1: 2,} == {1: 2}", "!!true", "!(!!!true)", "1 - 2 - 3 == -4", "2 * 3 % 4 == 2",
    "false && false || true", "true || false && false", "0xFFFFFFFFFFFFFFFFu == 18446744073709551615u", "0XaF == 175",
    "1U == 1u", "1e-1 == 0.1", "1E2 == 100.0", "1e+2 == 100.0", "9223372036854775807 > 0", "r'\\'' == '\\\\\\''",
    "'''a\nb''' == 'a\\nb'", "br'\\n' == b'\\\\n'", "rb'\\n' == b'\\\\n'", "'\\a\\b\\f\\v\\?\\`' != ''",
    "'\\377' == '\\u00ff'", "b'\\377' == b'\\xff'", "--1 == 1", "---9223372036854775808 == -9223372036854775808",
    "1//\n+ 1 == 2",
  ])
  func `are those of what is written`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    "[,]", "{,}", "size(,)", "--9223372036854775808", "0x", "1e", "1e+", "1e400", "1.5u", "1uu",
    "0x1G", "18446744073709551616u", "0x10000000000000000", "'\\x4'", "'\\u00e'", "'\\U00110000'", "b'\\u00e9'",
    "'\\38'",
    "'\\400'", "'''a''", "rr'a'", "bb'a'", "a.1", "a b", "1 = 1", "a & b", "[1].map(x, true, x, x)", "é",
  ])
  func `refuse what is written otherwise`(text: String) {
    #expect(throws: CELError.self) { try CELProgram(text) }
    #expect(failure(text) != nil)
  }

  @Test func `are 16384 bytes and 64 levels`() throws {
    let text = "'é' == 'é'"
    let padding = String(repeating: " ", count: CELProgram.longestText - text.utf8.count)
    #expect(CELProgram.longestText == 16_384 && CELProgram.depth == 64)
    #expect(try value(padding + text) == true)
    #expect(throws: CELError.self) { try CELProgram(padding + text + " ") }
    #expect(try value(String(repeating: "1 + ", count: 63) + "1") == 64)
    #expect(throws: CELError.self) { try CELProgram(String(repeating: "1 + ", count: 64) + "1") }
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count)
    }
    #expect(try value(nested(63)) == 1)
    #expect(throws: CELError.self) { try CELProgram(nested(64)) }
    // What is beside each other is not in each other.
    #expect(try value("[" + Array(repeating: nested(60), count: 3).joined(separator: ",") + "]") == [1, 1, 1])
  }

  @Test func `are those of a macro's variable, also when it fails`() throws {
    #expect(try value("[1].exists(x, [2].exists(x, x == 2) && x == 1)") == true)
    #expect(try value("[1].map(x, [2, 3].map(x, x)) == [[2, 3]]") == true)
    #expect(try value("([0].exists(x, 1 / x == 1) || true) && x == 5", ["x": 5]) == true)
    #expect(try value("[1].all(x, x == 1) && x == 5", ["x": 5]) == true)
    #expect(try value("[0, 0].all(x, 1 / x == 1) || [1].all(x, x == 1)") == true)
    #expect(try value("[1, 1].exists_one(x, x == 1)") == false)
    #expect(try value("[].exists_one(x, true)") == false)
    #expect(try value("{'a': 1}.map(k, k) == ['a']") == true)
  }

  @Test func `are found by contains() wherever a text has another`() throws {
    let program = try CELProgram("vars.text.contains(vars.other)")
    func words(_ length: Int) -> [String] {
      (0..<(1 << length)).map { number in
        String((0..<length).map { number >> $0 & 1 == 0 ? Character("a") : "b" })
      }
    }
    for text in words(6) {
      for other in (1...4).flatMap(words) {
        let isIn = text.indices.contains { text[$0...].hasPrefix(other) }
        let vars: [CELValue: CELValue] = [.string("text"): .string(text), .string("other"): .string(other)]
        #expect(try program.evaluate(["vars": .map(vars)]) == .bool(isIn), "\(text) \(other)")
      }
    }
    #expect(try value("'aé'.contains('é') && 'aé'.endsWith('é') && !'aé'.startsWith('é')") == true)
    #expect(try value("'a'.startsWith('') && 'a'.endsWith('') && !''.startsWith('a')") == true)
  }
}
