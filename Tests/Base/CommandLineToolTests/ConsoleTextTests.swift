import Synchronization
import Testing

@testable import CommandLineTool

@Suite(.timeLimit(.minutes(1))) struct `A text of a console` {
  private final class Streams: Sendable {
    private let texts = Mutex(["", ""])
    func add(_ text: String, _ stream: Int) { texts.withLock { $0[stream] += text } }

    /// What was written to both streams since the last time.
    func taken() -> [String] {
      texts.withLock { texts in
        defer { texts = ["", ""] }
        return texts
      }
    }
  }

  private let streams = Streams()

  private func console(
    _ verbosity: Console.Verbosity = .normal, terminal: Terminal = .none, errors: Terminal = .none,
    showsUnicode: Bool = true, failure: Int32? = nil
  ) -> Console {
    let streams = streams
    return Console(
      verbosity: verbosity, terminal: terminal, errorTerminal: errors, showsUnicode: showsUnicode,
      output: { streams.add($0, 0) }, errors: { streams.add($0, 1) }, failure: { failure })
  }

  private static let styled = Terminal(width: 80, showsStyles: true)

  @Test func `has its words in colours where errors go to a terminal`() {
    let console = console(.verbose, errors: Self.styled)
    console.warn("a")
    console.fail("b", help: "c")
    console.detail("d")
    console.fail(CommandLineError("e\n", help: "f"))
    console.tell("g")
    #expect(
      streams.taken() == [
        "",
        "\u{1b}[33mwarning:\u{1b}[0m a\n\u{1b}[31merror:\u{1b}[0m b\n\u{1b}[36mhelp:\u{1b}[0m c\n\u{1b}[2md\u{1b}[0m\n"
          + "\u{1b}[31merror:\u{1b}[0m e\\n\n\u{1b}[36mhelp:\u{1b}[0m f\ng\n",
      ])
  }

  @Test(arguments: [
    (Console.Verbosity.quiet, "error: d\ne\n"), (.normal, "a\nwarning: b\nerror: d\ne\n"),
    (.verbose, "a\nwarning: b\nc\n[x] p\nerror: d\ne\n"),
  ])
  func `is left out when it was not asked for`(verbosity: Console.Verbosity, expected: String) {
    let console = console(verbosity)
    console.note("a")
    console.warn("b")
    console.detail("c")
    console.printed("p", by: "x")
    console.fail("d")
    console.tell("e")
    #expect(streams.taken() == ["", expected])
  }

  @Test func `of an extension has the author's own paths, and steers nothing`() {
    var console = console(.verbose)
    console.authorPaths = [(copy: "/run/1", original: "/home/a"), (copy: "/run/2", original: "b")]
    console.printed("/run/1/x\t/run/2 /run/1\u{1b}", by: "id\n")
    #expect(streams.taken() == ["", "[id\\n] /home/a/x\tb /home/a\\u{1b}\n"])
    #expect(console.withAuthorPaths("/run/3") == "/run/3")
  }

  @Test func `of a result is as it is, with a line end where it has one`() {
    let console = console(terminal: Self.styled, failure: 5)
    console.print()
    console.write("a")
    console.print("b")
    console.write(json: "[1")
    console.print(json: "]")
    console.write(data: "\u{7}\t\n")
    var table = TextTable([.init("")])
    console.print(table)
    table.add(["x"])
    console.print(table)
    #expect(streams.taken() == ["\nab\n[1]\n\\u{7}\t\nx\n", ""] && console.outputFailure == 5)
    #expect(self.console().outputFailure == nil)
  }

  @Test func `is in ASCII where the locale has nothing else`() {
    let terminal = Terminal(width: 80, showsStyles: false)
    let console = console(.verbose, terminal: terminal, errors: terminal, showsUnicode: false)
    console.write("→")
    console.tell("“a”")
    console.note("– b")
    console.detail("×")
    console.fail("‘c’", help: "•")
    #expect(streams.taken() == [">", "\"a\"\n- b\nx\nerror: 'c'\nhelp: *\n"])
    console.open(Prompt(["“q”"], mark: "→ ", isEditedByTerminal: false))
    console.change { $0.lines.append("…") }
    #expect(streams.taken()[1] == "\"q\"\n> \r\u{1b}[1A\u{1b}[J\"q\"\n...\n> ")
    console.close(leaving: ["“d”"])
    #expect(streams.taken()[1] == "\r\u{1b}[2A\u{1b}[J\"d\"\n")
    console.show(.lines(["“e”"]))
    console.show(.page(["“f”"]))
    #expect(streams.taken()[0] == "\"e\"\n\u{1b}[1A\u{1b}[J\u{1b}[H\"f\"\u{1b}[K\n\u{1b}[J")
    console.show(.drawing("“g”", erasing: "\r"))
    console.show(nil)
    #expect(streams.taken() == ["", "\"g\"\r"])
  }

  @Test func `has commands by the name of the tool, with the options that they need`() {
    var console = console()
    #expect(console.completed("Run “host list”.") == "Run “host list”.")
    console.toolName = ToolName("annex", of: SampleTool.root)
    console.advisedOptions = [("home", "/a b"), ("x", "y")]
    console.note("Run “host list --x 1”.")
    console.fail("Run host list.", help: "Run \"host share a\".")
    console.tell("“host list”")
    #expect(
      streams.taken()[1] == """
        Run “annex list --x 1 --home '/a b'”.
        error: Run annex list.
        help: Run "annex share a --home '/a b' --x y".
        “host list”

        """)
  }

  @Test(arguments: [
    ("", "''"), ("aZ09-./:=@_", "aZ09-./:=@_"), ("a b", "'a b'"), ("a'b", "'a'\\''b'"), ("é", "'é'"), ("~", "'~'"),
    ("$a", "'$a'"), ("[", "'['"), ("`", "'`'"), ("{", "'{'"), (";", "';'"), ("'", "''\\'''"), ("a\nb", "'a\nb'"),
    // With a mark behind it a quote is another character, and a quote for the shell.
    ("a'\u{301}; id; '", "'a'\\''\u{301}; id; '\\'''"),
  ])
  func `is one word of a shell`(text: String, word: String) {
    #expect(Array(shellWord(text).utf8) == Array(word.utf8))
  }

  @Test(
    arguments: [
      (0, 40, "[             ]   0 % l"), (1, 40, "[#############] 100 % l"), (0.999, 40, "[############ ]  99 % l"),
      (2, 40, "[#############] 100 % l"), (-1, 40, "[             ]   0 % l"), (.nan, 40, "[             ]   0 % l"),
      (0.5, 12, "[##  ]  50…"), (0.25, 20, "[#     ]  25 % l"), (0.25, 3, "[…"), (nil, 40, "l"), (nil, 1, ""),
    ] as [(Double?, Int, String)])
  func `is a bar of a third of the width`(fraction: Double?, width: Int, line: String) {
    #expect(ProgressBar.line(fraction, "l", width: width).description == line)
  }

  @Test func `is a bar of forty columns at most, drawn when it changes and taken away once`() {
    for width in [120, 121, 200] {
      #expect(ProgressBar.line(1, "", width: width).description.count { $0 == "#" } == 40)
    }
    #expect(ProgressBar.line(1, "", width: 119).description.count { $0 == "#" } == 39)
    let terminal = Terminal(width: 80, showsStyles: false)
    var bar = ProgressBar(console(errors: terminal))
    bar.finish()
    bar.show(nil, "a")
    bar.show(nil, "a")
    bar.finish()
    bar.finish()
    bar.show(nil, "a")
    #expect(streams.taken() == ["", "a\r\u{1b}[Ka"])
    bar.finish()
    let fixed = Terminal(width: 80, showsStyles: false, movesCursor: false)
    for console in [console(.quiet, errors: terminal), console(errors: fixed), console(terminal: terminal)] {
      _ = streams.taken()
      var hidden = ProgressBar(console)
      hidden.show(0.5, "a")
      hidden.finish()
      #expect(streams.taken() == ["", ""])
    }
  }
}
