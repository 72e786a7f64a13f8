import Testing

@Suite(.timeLimit(.minutes(1))) struct `Source without comments and strings` {
  @Test(arguments: [
    ("let a = 1 // try!\n", "let a = 1 \n"),
    ("a /* x /* y */ z\n */ b", "a \n b"),
    (#"f("Hello!")"#, #"f("")"#),
    (#"f("a \(b("c!")) d")"#, #"f(" (b(""))")"#),
    ("f(#\"a \"b\" \\(c)\"#)", "f(\"\")"),
    ("\"\"\"\n one \"two\"\n \"\"\"", "\"\n\n\""),
    (#""\\" + x!"#, #""" + x!"#),
  ])
  func `keeps what is compiled`(source: String, code: String) {
    #expect(SwiftCode(source).code == code)
  }
}
