import CommandLineTool

/// A small tool with every kind of option and argument.
enum SampleTool {
  static let list = Command(
    "list", summary: "List the extensions", example: "host list -p share",
    options: [
      .value(
        "point", short: "p", "POINT", "Only those at a point", values: .choices(["today", "share", "action"])),
      .flag("all", short: "A", "Show every version"),
      .flag("duplicates", short: "D", "Show duplicates"),
      .value("limit", short: "n", "N", "At most N rows", default: "20"),
    ])
  static let read = Command(
    "read", summary: "Read values", example: "host defaults read group.com.example notes",
    arguments: [CommandArgument("SUITE", "The suite's name"), CommandArgument("KEY", "One key", .optional)])
  static let secret = Command("secret", summary: "Not shown", example: "host defaults secret", isHidden: true)
  static let defaults = Command(
    "defaults", summary: "Read and write shared defaults", example: "host defaults read group.com.example",
    subcommands: [read, secret])
  static let share = Command(
    "share", summary: "Share files", example: "host share notes.txt --with com.example.share",
    options: [.value("with", "ID", "The extension"), .value("option", "K=V", "An option", isRepeatable: true)],
    arguments: [CommandArgument("FILE", "The files", .any, values: .file)])
  static let run = Command(
    "run", summary: "Run a command", example: "host run -- ls -l",
    arguments: [CommandArgument("COMMAND", "The command and its arguments", .some)])
  static let root = Command(
    "host", summary: "Run extensions", example: "host list", options: CommandOption.standard,
    subcommands: [list, defaults, share, run])

  static func parse(_ line: String, environment: [String: String] = [:]) throws(CommandLineError) -> ParsedCommand {
    let words = line.split(separator: " ").map(String.init)
    return try CommandLineParser(root).parse(words, environment: environment)
  }
}
