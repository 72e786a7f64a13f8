import CEL
import JSON
import Testing

@Suite struct `A function or macro` {
  @Test(arguments: [
    "size('é😀') == 2", "[1, 2].size() == 2", "size({'a': 1}) == 1", "size(b'abc') == 3", "'hello'.contains('ll')",
    "''.contains('')", "!'hello'.contains('lo!')", "'aabaab'.contains('abaa')", "'hello'.startsWith('he')",
    "'a@b.example'.endsWith('.example')", "int('42') == 42", "int(2.9) == 2", "int(-2.9) == -2", "uint(3) == 3u",
    "double('1.5') == 1.5", "string(1) == '1'", "string(1.5) == '1.5'", "string(true) == 'true'", "string(b'a') == 'a'",
    "bytes('a') == b'a'", "bool('true')", "type(1) == int", "type('') == string", "type(null) == null_type",
    "type(type(1)) == type", "type([]) != type({})", "dyn([1])[0] == 1",
    "[1, 2, 3].all(x, x > 0)", "![1, 2, 3].all(x, x > 1)", "[1, 2, 3].exists(x, x == 2)", "[].all(x, false)",
    "![].exists(x, true)", "[1, 2, 2].exists_one(x, x == 1)", "![1, 2, 2].exists_one(x, x == 2)",
    "[1, 2, 3].filter(x, x > 1) == [2, 3]", "[1, 2].map(x, x * 2) == [2, 4]",
    "[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
    "{'a': 1, 'b': 2}.exists(k, k == 'a')", "{'a': 1}.all(k, k.size() == 1)",
    "[[1], [2]].map(x, x.map(y, y + x[0]))[1][0] == 4",
    "[1, 'a'].exists(x, x == 'a')", "[0, 1].exists(x, 1 / x == 1)", "![0, 1].all(x, 1 / x == 2)",
  ])
  func `is true of this`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    "size(1)", "'a'.contains(1)", "int('1.5')", "int(1e30)", "int('x')", "uint(-1)", "string(null)", "string(b'\\xff')",
    "double('x')", "bool('maybe')", "1.all(x, true)", "[1].all(x, x)", "[0].exists(x, 1 / x == 1)", "[1].map(x, y)",
    "[0, 1].exists_one(x, 1 / x == 1)", "timestamp('2026-02-30T00:00:00Z')", "timestamp('x')", "duration('1')",
    "duration('1x')", "timestamp('9999-12-31T23:59:59Z') + duration('1s')", "uuidV4(1)", "size()", "size(1, 2)",
    "contains('a', 'b')",
    "'a'.size(1)", "has(a)", "has()", "[1].map(x)", "[1].all(1, true)", "'a'.int()",
  ])
  func `refuses what does not fit`(text: String) {
    #expect(failure(text) != nil)
  }

  @Test func `has() tells whether a member is there`() throws {
    let bindings: JSONObject = ["vars": ["a": .null, "b": ["c": 1]]]
    #expect(try value("has(vars.a) && !has(vars.x) && has(vars.b.c) && !has(vars.b.d)", bindings) == true)
    #expect(failure("has(vars.x.y)", bindings) != nil)
    #expect(failure("has(vars.a.y)", bindings) != nil)
  }

  @Test(arguments: [
    "timestamp('2026-11-23T06:51:22.5Z').getFullYear() == 2026", "timestamp('2026-11-23T06:51:22Z').getMonth() == 10",
    "timestamp('2026-11-23T06:51:22Z').getDate() == 23", "timestamp('2026-11-23T06:51:22Z').getDayOfMonth() == 22",
    "timestamp('2026-11-23T06:51:22Z').getDayOfWeek() == 1", "timestamp('2024-12-31T00:00:00Z').getDayOfYear() == 365",
    "timestamp('2026-11-23T06:51:22Z').getHours() == 6", "timestamp('2026-11-23T06:51:22Z').getMinutes() == 51",
    "timestamp('2026-11-23T06:51:22.25Z').getMilliseconds() == 250",
    "timestamp('2026-01-01T01:00:00+01:00') == timestamp('2026-01-01T00:00:00Z')",
    "timestamp('2026-01-01T00:00:00Z') + duration('36h') == timestamp('2026-01-02T12:00:00Z')",
    "timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('24h')",
    "timestamp('1969-12-31T23:59:59.5Z') < timestamp('1970-01-01T00:00:00Z')",
    "timestamp('1970-01-01T00:00:00Z') - duration('0.5s') == timestamp('1969-12-31T23:59:59.5Z')",
    "duration('-1h30m') == duration('-90m')", "duration('1.5s').getSeconds() == 1", "int(timestamp(7)) == 7",
    "string(timestamp('0001-01-01T00:00:00Z')) == '0001-01-01T00:00:00Z'", "string(duration('1m0.5s')) == '60.5s'",
  ])
  func `reckons with times`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    ("hello", "ell", true), ("hello", "^ell", false), ("hello", "^h.*o$", true), ("hello", "l{2}", true),
    ("hello", "l{3,}", false), ("abc123", "^[a-z]+\\\\d{1,3}$", true), ("a-b", "^[\\\\w-]+$", true), ("", "^$", true),
    ("ab", "^(?:a|b)*$", true), ("abc", "^(a|b)*$", false), ("ABC", "(?i)^abc$", true), ("a\nb", "a.b", false),
    ("]", "^[]]$", true), ("x", "[^x]", false), ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "^(a+)+$", false),
    ("é", "^.$", true),
    ("a.b", "^a\\\\.b$", true), ("", "(a*)*b", false), ("a{", "a{", true), ("aab", "^a??a+?b$", true),
  ])
  func `matches() is RE2's, in linear time`(text: String, pattern: String, expected: Bool) throws {
    #expect(try value("vars.text.matches('\(pattern)')", ["vars": ["text": .string(text)]]) == .bool(expected))
  }

  @Test(arguments: [
    "(", ")", "a**", "[a", "[z-a]", "*", "\\\\", "\\\\b", "\\\\1", "(?=a)", "(?P<n>a)", "[[:alpha:]]", "a{2,1}",
    "a{999}{999}", "\\\\pL",
  ])
  func `matches() refuses other patterns when it is compiled`(pattern: String) {
    #expect(throws: CELError.self) { try CELProgram("'a'.matches('\(pattern)')") }
  }

  @Test func `uuidV4() is another each time`() throws {
    let one = try #require(try value("uuidV4()").stringValue)
    #expect(one.utf8.count == 32 && one.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    #expect(Array(one)[12] == "4" && "89ab".contains(Array(one)[16]))
    #expect(try value("uuidV4()") != .string(one))
  }
}
