import CEL
import JSON
import Testing

/// Most of the examples are those of the language's definition (github.com/google/cel-spec).
@Suite struct `An operator` {
  @Test(
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 / 2", 3), ("-7 / 2", -3), ("-7 % 2", -1), ("1.5 + 2.5", 4.0),
      ("10 - 2 - 3", 5), ("--4", 4), ("5u + 2u", 7), ("0x1F", 31), ("-9223372036854775808", .integer(.min)),
      (".5 + 1e0", 1.5), ("2 * 1.5", 3.0), ("'a' + \"b\"", "ab"), ("[1] + [2]", [1, 2]), ("1 / 2.0", 0.5),
      ("true ? 1 : 2", 1), ("false ? 1 : true ? 2 : 3", 2), ("(1 == 1) ? 'y' : 'n'", "y"),
    ] as [(String, JSONValue)])
  func `gives the value of its operands`(text: String, expected: JSONValue) throws {
    #expect(try value(text) == expected)
  }

  @Test(arguments: [
    "1 == 1.0", "1u == 1", "1.0 == 1u", "!(1 == 'a')", "null == nil", "!(null == false)", "[1, 'a'] == [1.0, 'a']",
    "{'a': 1} == {'a': 1u}", "!([1] == [1, 2])", "1 < 1.5", "2u > 1", "-1 < 0u", "'a' < 'b'", "!('b' <= 'a')",
    "b'a' < b'b'", "false < true", "9007199254740993 > 9007199254740992.0", "9223372036854775807 < 1e19",
    "1 in [2, 1.0]", "!(1 in [])", "'a' in {'a': null}", "!('b' in {'a': null})", "1.0 in {1: 'x'}",
    "null in [null, []]",
    "[] in [null, []]", "!(2 in [null, []])", "1 != 2 && 2 != 1", "0.0/0.0 != 0.0/0.0", "!(0.0/0.0 < 1)",
    "1 + 1 == 2 || false", "!false && !(!true)", "'e\\u0301' != '\\u00e9'",
  ])
  func `compares by value, whatever the kinds of the numbers`(text: String) throws {
    #expect(try value(text) == true)
  }

  @Test(arguments: [
    "9223372036854775807 + 1", "-9223372036854775808 - 1", "9223372036854775807 * 2", "-(-9223372036854775808)",
    "-9223372036854775808 / -1", "-9223372036854775808 % -1", "1 / 0", "1 % 0", "1u - 2u", "18446744073709551615u + 1u",
    "9223372036854775808", "1 + 'a'", "1 + 1u", "1 < 'a'", "!1", "-'a'", "1.5 % 1.0", "1 in 2", "null < null",
    "1 ? 2 : 3",
    "1 && true", "false || 1",
  ])
  func `refuses numbers that overflow and operands that do not fit`(text: String) {
    #expect(failure(text) != nil)
  }

  @Test(
    arguments: [
      ("true || 1 / 0 > 0", true), ("1 / 0 > 0 || true", true), ("false && 1 / 0 > 0", false),
      ("1 / 0 > 0 && false", false), ("vars.a || true", true), ("1 || true", true),
    ] as [(String, JSONValue)])
  func `that is && or || has the operand that decides, whatever fails`(text: String, expected: JSONValue) throws {
    #expect(try value(text, ["vars": [:]]) == expected)
  }

  @Test(arguments: ["false || 1 / 0 > 0", "1 / 0 > 0 && true", "vars.a || false", "!vars.a", "vars.a == null"])
  func `fails where an error may decide`(text: String) {
    #expect(failure(text, ["vars": [:]]) != nil)
  }

  @Test func `looks into lists and maps, of which a missing member is an error`() throws {
    let bindings: JSONObject = ["vars": ["list": [1, ["x": "y"]], "in": 2, "none": .null]]
    #expect(try value("vars.list[1].x", bindings) == "y")
    #expect(try value("vars['list'][1.0]['x']", bindings) == "y")
    #expect(try value("vars.in", bindings) == 2)
    #expect(try value("{1: 'a', true: 'b', 'c': {}}[1u]", bindings) == "a")
    for text in ["vars.other", "vars.list[2]", "vars.list[-1]", "vars.none.x", "vars.list.x", "vars[null]", "other"] {
      #expect(failure(text, bindings) != nil, "\(text)")
    }
    #expect(failure("{'a': 1, 'a': 2}") != nil)
    #expect(failure("{1: 1, 1u: 2}") != nil)
  }

  @Test func `reads texts and bytes in every form`() throws {
    #expect(try value(#"'a\n\x41\u00e9\U0001F600\101'"#) == "a\nAé😀A")
    #expect(try value(#"r'\d' + R"\\""#) == #"\d\\"#)
    #expect(try value("'''a'b\n''' + \"\"\"c\"\"\"") == "a'b\nc")
    #expect(try value(#"b'\xff\x00'"#) == "/wA=")
    #expect(try value("1 // a comment\n + 1") == 2)
    for text in [#"'\q'"#, "'a", "'a\nb'", #"'\ud800'"#, #"'\400'"#, "'''a'", #"'\"#] {
      #expect(failure(text) != nil, "\(text)")
    }
  }

  /// One accent, as one scalar and as a letter with a mark: two names, as a server and a token tell them apart.
  @Test func `finds no member under another spelling`() throws {
    let bindings: JSONObject = ["vars": ["caf\u{E9}": 1]]
    #expect(try value("vars['caf\u{E9}']", bindings) == 1)
    #expect(failure("vars['cafe\u{301}']", bindings) != nil)
    #expect(try value("'caf\u{E9}' in vars", bindings) == true)
    #expect(try value("'cafe\u{301}' in vars", bindings) == false)
    let both: JSONObject = ["vars": ["caf\u{E9}": 1, "cafe\u{301}": 2]]
    #expect(try value("vars['caf\u{E9}'] + 10 * vars['cafe\u{301}']", both) == 21)
    #expect(try value("size({'caf\u{E9}': 1, 'cafe\u{301}': 2})") == 2)
  }
}
