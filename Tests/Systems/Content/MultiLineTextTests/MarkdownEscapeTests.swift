import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `A text that Markdown finds nothing in` {
  /// As it is written where it begins a line, and where it does not.
  @Test(
    arguments: [
      (#"a\b`c*d_e[f]g<h>i&j~k|l"#, #"a\\b\`c\*d\_e\[f\]g\<h\>i\&j\~k\|l"#, nil),
      ("# a", "\\# a", "# a"), ("+ a", #"\+ a"#, "+ a"), ("- a", #"\- a"#, "- a"), ("= a", #"\= a"#, "= a"),
      (": a", #"\: a"#, ": a"), ("a# + - = :", "a# + - = :", nil), ("1. a", #"1\. a"#, "1. a"),
      ("12) a", #"12\) a"#, "12) a"), ("1.2. a", #"1\.2. a"#, "1.2. a"), ("1a. b", "1a. b", nil), (". a", ". a", nil),
      (") a", ") a", nil), ("a1.", "a1.", nil), ("90)", #"90\)"#, "90)"), ("/1. a", "/1. a", nil),
      (":1) a", #"\:1) a"#, ":1) a"),
      ("http://a", #"http\://a"#, nil), ("see HTTPS:b", #"see HTTPS\:b"#, nil), ("ftp:c", #"ftp\:c"#, nil),
      ("htt:p", "htt:p", nil), ("ttp:a", "ttp:a", nil), ("www.a", #"www\.a"#, nil), ("Www.a", #"Www\.a"#, nil),
      ("ww.a", "ww.a", nil),
      ("wwx.a", "wwx.a", nil), ("http a:b", "http a:b", nil), ("a!", #"a\!"#, nil), ("!", #"\!"#, nil),
      ("!a", "!a", nil),
      ("a!!", #"a!\!"#, nil), ("é日€", "é日€", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func `has a backslash before what means something`(text: String, atStart: String, inside: String?) {
    #expect(MarkdownEscape.text(text, isAtStart: true, isOneLine: false) == atStart)
    #expect(MarkdownEscape.text(text, isAtStart: false, isOneLine: false) == inside ?? atStart)
  }

  @Test func `has one before every number sign in a title`() {
    #expect(MarkdownEscape.text("a # b #", isAtStart: false, isOneLine: true) == "a \\# b \\#")
    #expect(MarkdownEscape.text("#", isAtStart: true, isOneLine: true) == "\\#")
  }

  @Test(
    arguments: [
      ("/a-b._c?d:e#f@g!h$i'j*k+l,m;n=o%p", nil), ("AZaz09", nil), ("", nil), ("/a b", "</a b>"), ("/a(b)", "</a(b)>"),
      (#"<a>\b&c|d"#, #"<\<a\>\\b\&c\|d>"#), ("é", "<é>"), ("a[b", "<a[b>"), ("a`b", "<a`b>"), ("a{b", "<a{b>"),
      ("a\"b", "<a\"b>"), ("a~b", "<a~b>"), ("a^b", "<a^b>"),
    ] as [(String, String?)])
  func `stands in angle brackets where an address could end early`(address: String, written: String?) {
    #expect(MarkdownEscape.address(address) == written ?? address)
  }

  @Test(
    arguments: [
      ("a", false), ("z", false), ("A", false), ("0", false), ("9", false), (" ", false), ("\t", false), ("!", true),
      ("/", true), (":", true), ("@", true), ("[", true), ("`", true), ("{", true), ("~", true), ("é", false),
      ("«", true), ("»", true), ("–", true), ("‿", true), ("…", true), ("「", true), ("」", true), ("€", false),
      ("\u{A0}", false), ("!\u{301}", false), ("e\u{301}", false),
    ] as [(Character, Bool)])
  func `knows what is punctuation`(character: Character, isPunctuation: Bool) {
    #expect(MarkdownEscape.isPunctuation(character) == isPunctuation)
  }

  @Test(arguments: [
    ("a b", "a b"), (" a ", " a "), ("a\nb", "a b"), ("a  b", "a b"), ("a\t\r\n b", "a b"), ("  a", " a"),
    ("a\u{1F}", "a "),
    ("é  ü\n", "é ü "), ("a\u{A0}\u{A0}b", "a\u{A0}\u{A0}b"), ("", ""),
  ])
  func `is one line with one space for each gap`(text: String, line: String) {
    #expect(MarkdownRuns.onOneLine(text) == line)
  }
}
