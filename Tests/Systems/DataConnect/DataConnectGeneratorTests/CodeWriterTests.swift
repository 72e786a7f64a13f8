import Testing

@testable import DataConnectGenerator

/// Where lines of generated code are broken, at the exact bound and beyond it.
@Suite(.timeLimit(.minutes(1)))
struct `A line of generated code` {
  private func text(_ write: (inout CodeWriter) -> Void) -> String {
    var code = CodeWriter()
    write(&code)
    return code.text
  }

  private func a(_ count: Int) -> String { String(repeating: "a", count: count) }

  /// Characters of three bytes and two Unicode scalars.
  private func wide(_ count: Int) -> String { String(repeating: "e\u{301}", count: count) }

  @Test func `begins two spaces further in each block, and is empty where nothing is on it`() {
    let text = text { code in
      code.line("one")
      code.block("head") { code in
        code.line("two")
        code.line()
        code.block("inner") { $0.line("three") }
        code.line("four")
      }
      code.line("five")
    }
    #expect(text == "one\nhead {\n  two\n\n  inner {\n    three\n  }\n  four\n}\nfive\n")
  }

  @Test(
    arguments: [
      ("words", "/// words\n"), ("", "///\n"), ("  ", "///\n"), ("a\n \u{7}", "/// a\n///\n"),
      ("one\ntwo", "/// one\n/// two\n"),
      ("one\n\ntwo", "/// one\n///\n/// two\n"),
      ("one\r\ntwo", "/// one\n/// two\n"), ("one\n", "/// one\n///\n"), ("one  \n  two ", "/// one\n///   two\n"),
      ("a\u{7}b\tc", "/// abc\n"), ("a\u{2028}b\u{85}c", "/// a\n/// b\n/// c\n"), ("é\u{301}", "/// é\u{301}\n"),
    ])
  func `of a comment has one line of it, without spaces at its end and control characters`(
    comment: String, expected: String
  ) {
    #expect(text { $0.comment(comment) } == expected)
  }

  @Test func `of a comment is as far in as what it is about`() {
    #expect(text { $0.block("x") { $0.comment("a\n\nb") } } == "x {\n  /// a\n  ///\n  /// b\n}\n")
  }

  @Test func `holds a block of one statement up to 120 characters`() {
    #expect(text { $0.inlineBlock(a(57), a(58)) } == "\(a(57)) { \(a(58)) }\n")
    #expect(text { $0.inlineBlock(a(57), a(59)) } == "\(a(57)) {\n  \(a(59))\n}\n")
    #expect(text { $0.inlineBlock(a(58), a(58)) } == "\(a(58)) {\n  \(a(58))\n}\n")
    #expect(text { $0.inlineBlock(wide(57), wide(58)) } == "\(wide(57)) { \(wide(58)) }\n")
    let inside = text { $0.block("x") { $0.inlineBlock(a(57), a(56)) } }
    #expect(inside == "x {\n  \(a(57)) { \(a(56)) }\n}\n")
    let broken = text { $0.block("x") { $0.inlineBlock(a(57), a(57)) } }
    #expect(broken == "x {\n  \(a(57)) {\n    \(a(57))\n  }\n}\n")
  }

  @Test func `of a block that is too long is what the caller writes for it`() {
    let short = text { $0.inlineBlock("head", "body") { $0.line("other") } }
    #expect(short == "head { body }\n")
    let long = text { $0.inlineBlock(a(120), "body") { $0.line("other") } }
    #expect(long == "\(a(120)) {\n  other\n}\n")
  }

  @Test func `holds an array up to 120 characters, else one element`() {
    #expect(text { $0.array([]) } == "[]\n")
    #expect(text { $0.array(["one", "two"]) } == "[one, two]\n")
    #expect(text { $0.array([a(58), a(58)]) } == "[\(a(58)), \(a(58))]\n")
    #expect(text { $0.array([a(58), a(59)]) } == "[\n  \(a(58)),\n  \(a(59)),\n]\n")
    #expect(text { $0.array([wide(118)]) } == "[\(wide(118))]\n")
    let inside = text { $0.block("x") { $0.array([a(58), a(56)]) } }
    #expect(inside == "x {\n  [\(a(58)), \(a(56))]\n}\n")
    let broken = text { $0.block("x") { $0.array([a(58), a(57)]) } }
    #expect(broken == "x {\n  [\n    \(a(58)),\n    \(a(57)),\n  ]\n}\n")
  }

  @Test func `holds a list in parentheses up to 120 characters with all that is behind it`() {
    #expect(text { $0.list("f", []) } == "f()\n")
    #expect(text { $0.list("f", ["a", "b"], " -> C") } == "f(a, b) -> C\n")
    #expect(text { $0.list("f", [a(117)]) } == "f(\(a(117)))\n")
    #expect(text { $0.list("f", [a(118)]) } == "f(\n  \(a(118))\n)\n")
    #expect(text { $0.list("f", [wide(117)]) } == "f(\(wide(117)))\n")
    #expect(text { $0.list("f", [a(112)], " -> C") } == "f(\(a(112))) -> C\n")
    #expect(text { $0.list("f", [a(113)], " -> C") } == "f(\n  \(a(113))\n) -> C\n")
    // Without items there is nothing to break.
    #expect(text { $0.list(a(130), [], " -> C") } == "\(a(130))() -> C\n")
    let inside = text { $0.block("x") { $0.list("f", [a(115)]) } }
    #expect(inside == "x {\n  f(\(a(115)))\n}\n")
    let broken = text { $0.block("x") { $0.list("f", [a(116)]) } }
    #expect(broken == "x {\n  f(\n    \(a(116))\n  )\n}\n")
  }

  @Test func `behind a list opens braces, which count too`() {
    #expect(text { $0.list("f", ["a"], " -> C") { $0.line("body") } } == "f(a) -> C {\n  body\n}\n")
    #expect(text { $0.list("f", [a(115)]) { $0.line("body") } } == "f(\(a(115))) {\n  body\n}\n")
    #expect(text { $0.list("f", [a(116)]) { $0.line("body") } } == "f(\n  \(a(116))\n) {\n  body\n}\n")
    let twice = text { code in
      code.list("f", [a(118)]) { $0.line("body") }
      code.list("g", []) { $0.line("body") }
    }
    #expect(twice == "f(\n  \(a(118))\n) {\n  body\n}\ng() {\n  body\n}\n")
  }

  @Test func `of a broken list holds as many items as fit`() {
    #expect(text { $0.list("f", [a(58), a(58)]) } == "f(\n  \(a(58)), \(a(58))\n)\n")
    #expect(text { $0.list("f", [a(58), a(59)]) } == "f(\n  \(a(58)),\n  \(a(59))\n)\n")
    // An item in the middle has its comma.
    #expect(text { $0.list("f", [a(58), a(57), "b"]) } == "f(\n  \(a(58)), \(a(57)),\n  b\n)\n")
    #expect(text { $0.list("f", [a(58), a(58), "b"]) } == "f(\n  \(a(58)),\n  \(a(58)), b\n)\n")
    #expect(text { $0.list("f", [wide(58), wide(58), "b"]) } == "f(\n  \(wide(58)),\n  \(wide(58)), b\n)\n")
    #expect(text { $0.list("f", [a(130), "b", "c"]) } == "f(\n  \(a(130)),\n  b, c\n)\n")
    #expect(text { $0.list("f", ["b", a(130), "c"]) } == "f(\n  b,\n  \(a(130)),\n  c\n)\n")
  }
}
