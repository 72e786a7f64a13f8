import Testing

@testable import CommandLineTool

@Suite(.timeLimit(.minutes(1))) struct `A text at its edges` {
  @Test func `is cut behind 2000 bytes, in whole scalars`() {
    let most = String(repeating: "x", count: 2_000)
    #expect(ShownText(most).description == most)
    #expect(ShownText(most + "y").description == most + "… (1 bytes left out)")
    let wide = String(repeating: "é", count: 1_000)
    #expect(
      ShownText(wide).description == wide
        && ShownText("a" + wide).description == "a" + wide.dropLast() + "… (2 bytes left out)")
    #expect(ShownText(whole: most + "y").description == most + "y" && ShownText.limit == 2_000)
    #expect(ShownText(lines: most + "\ny").description == most + "\ny")
  }

  @Test func `is joined and added as it is`() {
    #expect((["a", "b"] as [ShownText]).joined(separator: ", ") == "a, b" && ([] as [ShownText]).joined() == "")
    #expect(("a" as ShownText) + "\u{1b}" == "a\u{1b}" && ("日a" as ShownText).width == 3)
  }

  @Test(arguments: [
    ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]), ("one  two", 7, ["one two"]),
    ("a b c", 3, ["a b", "c"]),
    ("  one two", 3, ["  one", "two"]), ("one two", 0, [""]), ("long words", 3, ["long", "words"]), ("", 0, [""]),
    ("a longword b", 4, ["a", "longword", "b"]), ("   ", 2, [""]), ("日本 a", 4, ["日本", "a"]), ("日本 a", 6, ["日本 a"]),
  ])
  func `is broken between its words, which stay whole`(text: String, width: Int, lines: [String]) {
    #expect(wrapped("\(text)", toWidth: width).map(\.description) == lines)
    #expect(wrapped(shown: text, toWidth: width) == lines)
  }

  @Test(arguments: [
    ("abcd", 2, ["ab", "cd"]), ("abcde", 2, ["ab", "cd", "e"]), ("abc", 1, ["ab", "c"]), ("日本", 3, ["日", "本"]),
    ("a日b", 2, ["a", "日", "b"]), ("", 4, [""]), ("日", 0, ["日"]),
  ])
  func `is in pieces that fill a line each`(text: String, width: Int, pieces: [String]) {
    #expect(broken("\(text)", width).map(\.description) == pieces)
  }

  @Test func `goes on behind the last piece of a long word`() {
    #expect(wrapped("x abcdefg h i", toWidth: 3, long: broken).map(\.description) == ["x", "abc", "def", "g h", "i"])
    #expect(longestWord("  ab c") == 4 && longestWord("a 日本語 b") == 6 && longestWord("") == 0 && longestWord("  ") == 0)
  }

  @Test(arguments: [
    ("one two three\n", 8, "one two\nthree\n"), ("12345678\n", 8, "12345678\n"),
    ("1234 678\n\na b", 4, "1234\n678\n\na b"),
    ("  one two\n", 6, "  one\n  two\n"), ("say “a b c” now", 8, "say\n“a b c”\nnow"),
    ("say \"a b\" c d e f", 9, "say \"a b\"\nc d e f"),
    ("a “b c” d e f g", 9, "a “b c” d\ne f g"),
  ])
  func `is folded at a terminal, and what is quoted stays together`(text: String, width: Int, folded: String) {
    #expect(Terminal(width: width, showsStyles: false).folded(text) == folded)
    #expect(Terminal.none.folded(text) == text && Terminal(width: 0, showsStyles: false).folded(text) == text)
  }

  @Test func `has a style where there is one, and something to show`() {
    let styled = Terminal(width: 9, showsStyles: true)
    #expect(
      styled.styled("", .bold) == "" && styled.styled("a", nil) == "a"
        && styled.styled("a", .blue) == "\u{1b}[34ma\u{1b}[0m")
    #expect(Terminal(width: nil, showsStyles: false, movesCursor: true).movesCursor == false)
    #expect(Terminal.none.resized(to: 9) == .none && styled.resized(to: nil) == styled)
    #expect(styled.resized(to: 5) == Terminal(width: 5, showsStyles: true))
    #expect(Terminal(width: 9, showsStyles: false, movesCursor: false).resized(to: 5).movesCursor == false)
    #expect(styled.isTerminal && !Terminal.none.isTerminal)
  }

  @Test(arguments: [
    ("abc…", "a..."), ("a1…", "..."), ("a…", "a..."), ("a …", "a ..."), (" a…", " a..."), ("ab……", "...."),
    ("é…", "é..."),
    ("„a‟", "„a‟"), ("a\u{A0}b", "a b"), ("‘a’—“b”·•×←", "'a'-\"b\"**x<"), ("日本…", "..."), ("a", "a"), ("", ""),
  ])
  func `is in ASCII as wide as it was, where it can be`(text: String, plain: String) {
    #expect(LocaleCharacters.ascii(text) == plain)
    #expect(ShownText(text).inASCII.description == plain)
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF8"], true), (["LC_ALL": "en_US.utf-8", "LANG": "C"], true),
    (["LC_CTYPE": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "", "LANG": ""], false),
    (["LANG": "en_US.ISO-8859-1"], false), (["LC_MESSAGES": "C.UTF-8"], false),
  ])
  func `is Unicode where the locale says so`(environment: [String: String], isUnicode: Bool) {
    #expect(LocaleCharacters.areUnicode(environment) == isUnicode)
  }

  @Test(arguments: [
    ("\u{7E}", "\u{7E}"), ("\u{7F}", "\\u007f"), ("\u{80}", "\\u0080"), ("\u{9F}", "\\u009f"), ("\u{A0}", "\u{A0}"),
    ("\u{AD}", "\\u00ad"), ("\u{200C}\u{200D}", "\u{200C}\u{200D}"), ("\u{FEFF}", "\\ufeff"), ("\n\t", "\n\t"),
    ("\u{E0001}é", "\\udb40\\udc01é"),
  ])
  func `is JSON without what steers a terminal`(text: String, escaped: String) {
    #expect(text.escapedInJSON == escaped)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The keys of torn and odd bytes` {
  @Test(
    arguments: [
      ([0x01], [.control("a")]), ([0x1A], [.control("z")]), ([0x1B, 0x4F, 0x43], [.right]), ([0x00], []), ([0x1C], []),
      ([0x20], [.character(" ")]), ([0x7E], [.character("~")]), ([0xC3, 0xA9], [.character("é")]),
      ([0xF0, 0x9F, 0x98, 0x80], [.character("😀")]), ([0xE2, 0x82, 0xAC], [.character("€")]),
      ([0xC3, 0x41], [.character("A")]), ([0xE2, 0x82, 0x41], [.character("A")]), ([0xBF, 0x41], [.character("A")]),
      ([0x1B, 0x5B, 0x40], []), ([0x1B, 0x5B, 0x7E], []), ([0x1B, 0x5B, 0x31, 0x7F], [.backspace]),
      ([0x1B, 0x5B, 0x20, 0x3F, 0x41], [.up]), ([0x1B, 0x50], [.escape, .character("P")]),
      ([0x1B, 0x5B, 0x32, 0x7E, 0x61], [.character("a")]), ([0x1B, 0x5B, 0x35, 0x3B, 0x35, 0x7E], [.pageUp]),
      ([0x65, 0xCC, 0x81], [.character("e"), .character("\u{301}")]),
    ] as [([UInt8], [TerminalKey])])
  func `are those that are whole`(bytes: [UInt8], keys: [TerminalKey]) {
    var reader = TerminalKeyReader()
    #expect(reader.feed(bytes) == keys && !reader.isTorn)
  }

  @Test(
    arguments: [[0x1B], [0x1B, 0x5B], [0x1B, 0x5B, 0x31], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] as [[UInt8]])
  func `wait for more, and are given up at the end`(bytes: [UInt8]) {
    var reader = TerminalKeyReader()
    #expect(reader.feed([0x61] + bytes) == [.character("a")] && reader.isTorn)
    #expect(reader.flush() == (bytes == [0x1B] ? [.escape] : []) && !reader.isTorn)
    #expect(reader.flush() == [] && reader.feed([0x62]) == [.character("b")])
  }

  @Test func `have sequences of at most 32 bytes`() {
    let digits = [UInt8](repeating: 0x31, count: 40)
    var reader = TerminalKeyReader()
    #expect(reader.feed([0x1B, 0x5B] + digits.prefix(30) + [0x41]) == [.up])
    #expect(reader.feed([0x1B, 0x5B] + digits.prefix(31) + [0x41]) == [.character("1"), .character("A")])
    #expect(reader.feed([0x1B, 0x5B] + digits.prefix(30)) == [] && reader.isTorn)
    #expect(reader.feed([0x31]) == [.character("1")] && !reader.isTorn)
  }
}
