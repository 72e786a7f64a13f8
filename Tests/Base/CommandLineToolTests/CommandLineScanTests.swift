import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A command line with arguments of every kind` {
  private func parse(_ command: Command, _ words: [String]) throws(CommandLineError) -> ParsedCommand {
    try CommandLineParser(command).parse(words)
  }

  private func tool(_ arguments: CommandArgument..., options: [CommandOption] = [], commands: [Command] = []) -> Command
  {
    Command("tool", summary: "S", example: "E", options: options, arguments: arguments, subcommands: commands)
  }

  private func message(_ command: Command, _ words: [String]) -> String? {
    do throws(CommandLineError) {
      _ = try parse(command, words)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `gives the last words to what follows a list`() throws {
    let any = tool(.init("LIST", "L", .any), .init("LAST", "L"), .init("END", "E"))
    #expect(message(any, ["a"]) == "tool needs END.")
    let least = try parse(any, ["a", "b"])
    #expect(least.arguments("LIST") == [] && least.argument("LIST") == nil)
    #expect(least.argument("LAST") == "a" && least.argument("END") == "b")
    let more = try parse(any, ["a", "b", "c", "d"])
    #expect(more.arguments("LIST") == ["a", "b"] && more.arguments("LAST") == ["c"] && more.argument("END") == "d")
    let some = tool(.init("LIST", "L", .some), .init("LAST", "L"))
    #expect(message(some, ["a"]) == "tool needs LIST." && message(some, []) == "tool needs LIST.")
    #expect(try parse(some, ["a", "b"]).arguments("LIST") == ["a"])
  }

  @Test func `leaves out what is optional, and takes no more`() throws {
    let command = tool(.init("A", "A"), .init("B", "B", .optional))
    #expect(message(command, []) == "tool needs A." && message(command, ["a", "b", "c"]) == "tool does not take “c”.")
    #expect(try parse(command, ["a"]).argument("B") == nil && parse(command, ["a", "b"]).argument("B") == "b")
    #expect(message(tool(.init("LIST", "L", .any)), []) == nil && message(tool(), ["a"]) == "tool does not take “a”.")
  }

  @Test func `takes choices alone, and any word where they are suggestions`() throws {
    let choices = tool(.init("A", "A", .some, values: .choices(["one", "two"])))
    #expect(try parse(choices, ["two", "one"]).arguments("A") == ["two", "one"])
    #expect(message(choices, ["one", "tree"]) == "“tree” is not a value for A.")
    for values in [ValueHint.suggestions(["one"]), .printed(by: ["one"]), .file, .directory, .anything] {
      #expect(message(tool(.init("A", "A", values: values)), ["two"]) == nil)
    }
    let error = #expect(throws: CommandLineError.self) { try CommandLineParser(choices).parse(["xyzzy"]) }
    #expect(error?.help == "It takes one of: one, two.")
  }

  @Test func `may have commands and arguments`() throws {
    let below = Command("go", summary: "S", example: "E")
    let both = tool(.init("A", "A", .any), commands: [below])
    #expect(try parse(both, ["go"]).path == ["go"])
    #expect(try parse(both, []).path == [] && parse(both, ["x", "go"]).arguments("A") == ["x", "go"])
    // Behind two dashes nothing is a command where there are arguments.
    #expect(try parse(both, ["--", "go"]).arguments("A") == ["go"])
    #expect(try parse(tool(commands: [below]), ["--", "go"]).path == ["go"])
    #expect(message(tool(commands: [below]), ["--", "help"]) == "“help” is not a command of tool.")
    #expect(try parse(tool(.init("A", "A", .any)), ["help"]).request == .help)
    #expect(message(both, ["help", "x"]) == "“x” is not a command of tool.")
    #expect(try parse(both, ["x", "help"]).arguments("A") == ["x", "help"])
    #expect(message(both, ["go", "help"]) == "tool go does not take “help”.")
  }

  @Test func `takes a dash with a digit for a number, unless it is an option`() throws {
    let numbers = tool(.init("A", "A", .any))
    #expect(try parse(numbers, ["-1", "-.", "-"]).arguments("A") == ["-1", "-.", "-"])
    let option = tool(.init("A", "A", .any), options: [.flag("one", short: "1", "S")])
    let parsed = try parse(option, ["-1", "-2"])
    #expect(parsed.flag("one") && parsed.arguments("A") == ["-2"])
    #expect(message(numbers, ["-a1"]) == "tool has no option -a.")
  }

  @Test func `has the values of options in their order, and the last where one is asked for`() throws {
    let command = tool(options: [
      .value("many", short: "m", "M", "S", isRepeatable: true), .flag("flag", short: "f", "S"),
      .value("one", short: "o", "O", "S"),
    ])
    let parsed = try parse(command, ["-m", "a", "--many=", "-m=b=c", "-ff"])
    #expect(parsed.values("many") == ["a", "", "b=c"] && parsed.value("many") == "b=c" && parsed.flag("flag"))
    #expect(parsed.value("one") == nil && parsed.values("one") == [] && !parsed.flag("one"))
    #expect(try parse(command, ["-fo", "a"]).value("one") == "a" && parse(command, ["-foab"]).value("one") == "ab")
    #expect(
      message(command, ["-f=x"]) == "tool has no option -=." && message(command, ["-o", "-f"]) == "-o needs a value.")
    #expect(
      message(command, ["-o", "--"]) == "-o needs a value."
        && message(command, ["-o", "a", "--one", "b"]) == "--one is given twice.")
    #expect(try parse(command, ["-o-f"]).value("one") == "-f")
    let error = #expect(throws: CommandLineError.self) { try CommandLineParser(command).parse(["--one"]) }
    #expect(error?.help == "Write --one O, or --one=O when the value begins with a dash.")
  }

  @Test func `takes an option for the command that is meant in the end`() throws {
    func below(_ name: String, _ options: CommandOption...) -> Command {
      Command(name, summary: "S", example: "E", options: options)
    }
    let root = tool(commands: [
      below("one", .value("name", short: "n", "N", "S", values: .choices(["a"]))),
      below("two", .value("name", short: "x", "N", "S"), .flag("n", short: "n", "S")), below("three"),
    ])
    #expect(try parse(root, ["--name", "b", "two"]).value("name") == "b")
    #expect(message(root, ["--name", "b", "one"]) == "“b” is not a value for --name.")
    // The short name is a flag there, which takes no value.
    #expect(message(root, ["-n", "b", "two"]) == "tool two has no option -n.")
    #expect(message(root, ["--name", "b", "three"]) == "tool three has no option --name.")
    #expect(try parse(root, ["two", "-n"]).flag("n"))
  }

  @Test func `has values of the environment that are checked, and defaults`() throws {
    let command = tool(options: [
      .value("a", "A", "S", environment: "VAR", default: "one", values: .choices(["one", "two"])),
      .value("b", "B", "S", default: "x"),
    ])
    func value(_ environment: [String: String], _ words: String...) throws(CommandLineError) -> String? {
      try CommandLineParser(command).parse(words, environment: environment).value("a")
    }
    #expect(try value([:]) == "one" && value(["VAR": ""]) == "one" && value(["VAR": "two"]) == "two")
    #expect(try value(["VAR": "three"], "--a", "two") == "two")
    let error = #expect(throws: CommandLineError.self) {
      try CommandLineParser(command).parse([], environment: ["VAR": "tree"])
    }
    #expect(error?.message == "“tree” is not a value for the environment variable VAR.")
    #expect(try parse(command, []).value("b") == "x" && parse(command, ["--b", "y"]).values("b") == ["y"])
  }

  @Test func `is answered with the command that people mean by a word`() {
    let list = Command("list", summary: "S", example: "E").alsoTried(as: "ls", "dir")
    let hidden = Command("lsx", summary: "S", example: "E", isHidden: true).alsoTried(as: "secret")
    let root = tool(commands: [list, hidden])
    func help(_ word: String) -> String? {
      do throws(CommandLineError) {
        _ = try parse(root, [word])
        return nil
      } catch {
        return error.help
      }
    }
    #expect(
      help("ls") == "Did you mean list?" && help("DIR") == "Did you mean list?" && help("lsit") == "Did you mean list?")
    #expect(help("secret") == "Run “tool --help” to see its commands." && help("lsx") == nil)
    #expect(message(root, ["--xyz"]) == "tool has no option --xyz.")
  }

  @Test func `is asked for help before anything is checked, and for the version after that`() throws {
    let command = tool(.init("A", "A"), options: [.value("one", "O", "S", values: .choices(["a"]))])
    #expect(try parse(command, ["--one", "b", "--version", "--help"]).request == .help)
    let version = try parse(command, ["--one", "b", "--version"])
    #expect(version.request == .version && version.path == [] && version.value("one") == nil)
    #expect(try parse(command, ["--", "--help"]).request == .run)
  }

  @Test(arguments: [
    ("0", 0), ("-3", -3), ("5", 5), ("6", nil), ("-4", nil), ("+5", 5), ("", nil), (" 1", nil), ("1e1", nil),
  ])
  func `has whole numbers at the ends of their range`(text: String, number: Int?) throws {
    let parsed = try parse(tool(options: [.value("n", "N", "S")]), ["--n=\(text)"])
    #expect((try? parsed.integer("n", in: -3...5)) == number)
    #expect(try parsed.integer("m", in: -3...5) == nil)
    guard number == nil else { return }
    let error = #expect(throws: CommandLineError.self) { try parsed.integer("n", in: -3...5) }
    #expect(error?.message == "--n is “\(text)”, which is not a whole number that it can take.")
    #expect(error?.help == "Give --n a whole number from -3 to 5.")
  }
}
