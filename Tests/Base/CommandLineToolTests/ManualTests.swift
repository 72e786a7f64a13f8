import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Manual pages` {
  private let pages = Manual(SampleTool.root, version: "1.2").pages

  @Test func `are one for the tool and one for each of its commands`() {
    #expect(pages.map(\.name) == ["host", "host-list", "host-defaults", "host-share", "host-run"])
  }

  @Test func `tell the usage, the options and the example`() throws {
    let page = try #require(pages.first { $0.name == "host-list" }).text.description
    #expect(
      page.hasPrefix(
        ".TH HOST\\-LIST 1 \"\" \"host 1.2\" \"host\"\n.SH \"NAME\"\nhost\\-list \\- List the extensions\n"))
    #expect(page.contains(".SH \"SYNOPSIS\"\nhost list [options]\n"))
    #expect(page.contains(".TP\n\\fB\\-p, \\-\\-point POINT\\fR\nOnly those at a point: today, share, action.\n"))
    #expect(page.contains(".EX\n  host list \\-p share\n.EE\n"))
  }

  @Test func `have a part for each command below, and none for a hidden one`() throws {
    let page = try #require(pages.first { $0.name == "host-defaults" }).text.description
    #expect(page.contains(".SH \"COMMANDS\"\n.SS \"host defaults read\"\nRead values.\n"))
    #expect(!page.contains("secret"))
  }

  @Test func `name every exit status`() throws {
    let page = try #require(pages.first).text.description
    for (status, meaning) in ExitStatus.meanings {
      #expect(page.contains(".TP\n\\fB\(status.rawValue)\\fR\n\(meaning)"))
    }
  }

  @Test func `hold nothing that roff takes for its own`() {
    let command = Command(
      "odd", summary: "It\\s \"odd\" – 'so'", discussion: ".dots begin a line\n'and so do quotes",
      example: "odd -x ~/`a`")
    let text = Manual(Command("tool", summary: "Tool", example: "tool odd", subcommands: [command]), version: "1")
      .pages[1].text.description
    #expect(text.contains("It\\es \\(dqodd\\(dq \\[u2013] 'so'"))
    #expect(text.contains("\\&.dots begin a line\n.PP\n\\&'and so do quotes"))
    #expect(text.contains("odd \\-x \\(ti/\\(gaa\\(ga"))
  }
}
