import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A command line parser` {
  @Test(
    arguments: [
      "list -p share", "list -pshare", "list -p=share", "list --point share", "list --point=share", "-p share list",
      "--point=share list", "--json list --point share",
    ])
  func `accepts every form of an option with a value`(line: String) throws {
    let parsed = try SampleTool.parse(line)
    #expect(parsed.path == ["list"])
    #expect(parsed.value("point") == "share")
    #expect(parsed.request == .run)
  }

  @Test func `reads short flags that run together`() throws {
    let parsed = try SampleTool.parse("list -ADn5")
    #expect(parsed.flag("all") && parsed.flag("duplicates"))
    #expect(parsed.value("limit") == "5")
    #expect(!parsed.flag("json"))
  }

  @Test func `accepts global options on each level`() throws {
    let lines = ["--json defaults read S", "defaults --json read S", "defaults read --json S", "defaults read S -q"]
    for line in lines {
      let parsed = try SampleTool.parse(line)
      #expect(parsed.flag("json") != parsed.flag("quiet"))
      #expect(parsed.path == ["defaults", "read"] && parsed.argument("SUITE") == "S")
    }
  }

  @Test func `keeps the order of repeated values`() throws {
    let parsed = try SampleTool.parse("share --option a=1 --manifests x --option b=2 --manifests=y one two")
    #expect(parsed.values("option") == ["a=1", "b=2"])
    #expect(parsed.values("manifests") == ["x", "y"])
    #expect(parsed.arguments("FILE") == ["one", "two"])
  }

  @Test func `takes words after two dashes as they are`() throws {
    let parsed = try SampleTool.parse("run --json -- ls -l --json --")
    #expect(parsed.arguments("COMMAND") == ["ls", "-l", "--json", "--"])
    #expect(parsed.flag("json"))
  }

  @Test func `takes a dash alone and negative numbers as words`() throws {
    #expect(try SampleTool.parse("share - -5 -.5").arguments("FILE") == ["-", "-5", "-.5"])
    #expect(try SampleTool.parse("list -n -5").value("limit") == "-5")
    #expect(try SampleTool.parse("share --with -").value("with") == "-")
  }

  @Test func `looks in the environment after the line and before the default`() throws {
    let variable = ["ANNEX_HOME": "/env"]
    #expect(try SampleTool.parse("list", environment: variable).value("home") == "/env")
    #expect(try SampleTool.parse("list --home /line", environment: variable).value("home") == "/line")
    #expect(try SampleTool.parse("list", environment: ["ANNEX_HOME": ""]).value("home") == nil)
    #expect(try SampleTool.parse("list").value("limit") == "20")
  }

  @Test(
    arguments: [
      ("--help", []), ("list --help", ["list"]), ("defaults read -h", ["defaults", "read"]), ("help", []),
      ("help defaults read", ["defaults", "read"]), ("--json help list", ["list"]),
      ("list --point nowhere -h", ["list"]),
    ] as [(String, [String])])
  func `asks for help without checking arguments`(line: String, path: [String]) throws {
    let parsed = try SampleTool.parse(line)
    #expect(parsed.request == .help)
    #expect(parsed.path == path)
  }

  @Test func `asks for the version`() throws {
    #expect(try SampleTool.parse("--version").request == .version)
    #expect(try SampleTool.parse("list --version").request == .version)
  }

  @Test func `reads whole numbers within a range`() throws {
    #expect(try SampleTool.parse("list -n 7").integer("limit", in: 0...10) == 7)
    for line in ["list -n 11", "list -n -1", "list -n x", "list -n=", "list -n 1.0"] {
      let parsed = try SampleTool.parse(line)
      #expect(throws: CommandLineError.self) { try parsed.integer("limit", in: 0...10) }
    }
  }

  @Test(
    arguments: [
      ("", "host needs a command: list, defaults, share, run."),
      ("defaults", "host defaults needs a command: read."),
      ("lst", "“lst” is not a command of host."),
      ("defaults raed S", "“raed” is not a command of host defaults."),
      ("help nothing", "“nothing” is not a command of host."),
      ("list extra", "host list does not take “extra”."),
      ("defaults read", "host defaults read needs SUITE."),
      ("defaults read S K more", "host defaults read does not take “more”."),
      ("run", "host run needs COMMAND."),
      ("list --ponit share", "host list has no option --ponit."),
      ("list -x", "host list has no option -x."),
      ("share --point share", "host share has no option --point."),
      ("--all share", "host share has no option --all."),
      ("list --point", "--point needs a value."),
      ("list --home --json", "--home needs a value."),
      ("list --json=yes", "--json takes no value."),
      ("list -p share -p today", "-p is given twice."),
      ("list -p tody", "“tody” is not a value for -p."),
      ("list \u{1b}[2J", "host list does not take “\\u{1b}[2J”."),
      ("list --", ""), ("list --=x", "host list has no option --."),
    ])
  func `says what is wrong`(line: String, message: String) {
    do throws(CommandLineError) {
      _ = try SampleTool.parse(line)
      #expect(message.isEmpty)
    } catch {
      #expect(error.message == message)
      #expect(!error.help.isEmpty)
    }
  }

  @Test func `suggests near misses`() {
    #expect(help("lst") == "Did you mean list?")
    #expect(help("list --ponit share") == "Did you mean --point?")
    #expect(help("list -p tody") == "Did you mean today?")
    #expect(help("defaults secre").contains("--help"), "hidden commands are not suggested")
    #expect(help("defaults read") == "Write host defaults read SUITE [KEY] [options].")
  }

  private func help(_ line: String) -> String {
    do throws(CommandLineError) {
      _ = try SampleTool.parse(line)
      return ""
    } catch {
      return error.help
    }
  }
}
