import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An option for a secret` {
  private static let root = Command(
    "serve", summary: "Serve", example: "serve --token-file token",
    options: CommandOption.secret("token", "The token", environment: "SERVE_TOKEN"))

  private func parse(_ words: String..., environment: [String: String] = [:]) throws(CommandLineError) -> ParsedCommand
  {
    try CommandLineParser(Self.root).parse(words, environment: environment)
  }

  @Test(arguments: [["--token", "abc"], ["--token=abc"]])
  func `is refused on the command line, and named otherwise`(words: [String]) {
    let error = #expect(throws: CommandLineError.self) {
      try CommandLineParser(Self.root).parse(words, environment: ["SERVE_TOKEN": "other"])
    }
    #expect(error?.message.contains("every user") == true)
    #expect(error?.description.contains("abc") == false)
    for way in ["--token-file", "--token-fd", "SERVE_TOKEN"] { #expect(error?.help.contains(way) == true) }
  }

  @Test func `comes from a file, a descriptor or the environment`() throws {
    #expect(try parse("--token-file", "path").value("token-file") == "path")
    #expect(try parse("--token-fd", "3").value("token-fd") == "3")
    #expect(try parse(environment: ["SERVE_TOKEN": "abc"]).value("token") == "abc")
    #expect(try parse().value("token") == nil)
  }

  @Test func `is in the help with the ways that there are`() {
    let page = Help.page([Self.root]).description
    #expect(page.contains("--token-file FILE") && page.contains("--token-fd N") && page.contains("SERVE_TOKEN"))
    #expect(!page.contains("--token TEXT"))
  }
}
